import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { clientCapabilities, elicit, elicitUrl, listRoots, need, sample } from '../../../shim/index.js';
import type { NeedContext } from '../../../shim/index.js';
import { createTestContext, playRounds } from '../../../shim/testing/index.js';

const sure = { action: 'accept', content: { sure: true } } as const;

const confirm = (ctx: NeedContext, name: string) =>
    ctx.need('confirm', elicit({ message: `Remove ${name}?`, requestedSchema: z.object({ sure: z.boolean() }) }));

describe('createTestContext', () => {
    it('answers by key, and says what was asked', async () => {
        const ctx = createTestContext({ answers: { confirm: sure } });
        await expect(confirm(ctx, 'a')).resolves.toEqual(sure);
        expect(ctx.asked).toMatchObject([
            { key: 'confirm', method: 'elicitation/create', params: { message: 'Remove a?' } }
        ]);
    });

    it('answers by a function of the question, sampling and roots among them', async () => {
        const roots = { roots: [{ uri: 'file:///a' }] };
        const sampled = { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' } } as const;
        const ctx = createTestContext({ answers: ({ method }) => (method === 'roots/list' ? roots : sampled) });
        await expect(ctx.need('roots', listRoots())).resolves.toEqual(roots);
        await expect(ctx.need('opinion', sample({ messages: [], maxTokens: 5 }))).resolves.toEqual(sampled);
    });

    it('gives later occurrences of a key the answer of the first, where they have none of their own', async () => {
        const ctx = createTestContext({ answers: { confirm: sure, 'confirm#3': { action: 'decline' } } });
        expect(await confirm(ctx, 'a')).toEqual(sure);
        expect(await confirm(ctx, 'b')).toEqual(sure);
        expect(await confirm(ctx, 'c')).toEqual({ action: 'decline' });
        expect(ctx.asked.map(({ key }) => key)).toEqual(['confirm', 'confirm#2', 'confirm#3']);
    });

    it('fails the test where nobody gave an answer, with the name of the question', async () => {
        const ctx = createTestContext({ answers: { other: sure } });
        await expect(confirm(ctx, 'a')).rejects.toThrow("no answer to 'confirm' (elicitation/create)");
    });

    it('refuses what the client did not declare as a request does, and lets guards see that', async () => {
        const ctx = createTestContext({ clientCapabilities: { elicitation: {} } });
        expect(clientCapabilities(ctx, undefined)).toEqual({ elicitation: { form: {} } });
        const page = ctx.need('page', elicitUrl({ message: 'Sign in', url: 'https://a.test' }));
        await expect(page).rejects.toThrow('Client does not support url elicitation.');
        await expect(ctx.need('roots', listRoots())).rejects.toThrow('Client does not support listing roots');
        expect(ctx.asked).toEqual([]);
    });

    it('checks an answer by the form, as the server does', async () => {
        const ctx = createTestContext({ answers: { confirm: { action: 'accept', content: { sure: 'maybe' } } } });
        await expect(confirm(ctx, 'a')).rejects.toThrow();
    });

    it('runs code that asks without a context', async () => {
        const ctx = createTestContext({ answers: { confirm: { action: 'decline' } } });
        const params = { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } } as const;
        const answer = ctx.run(() => need('confirm', elicit(params)));
        await expect(answer).resolves.toEqual({ action: 'decline' });
    });

    it('keeps notifications and log messages', async () => {
        const ctx = createTestContext();
        await ctx.mcpReq.log('info', 'begun');
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
        expect(ctx.notifications.map(({ method }) => method)).toEqual([
            'notifications/message',
            'notifications/progress'
        ]);
    });

    it('gives a copy of what once records, as a request does', async () => {
        const ctx = createTestContext();
        expect(await ctx.once('when', () => ({ at: new Date(0), left: undefined }))).toEqual({
            at: '1970-01-01T00:00:00.000Z'
        });
    });
});

describe('playRounds', () => {
    async function remove(ctx: NeedContext, names: string[], done: string[]): Promise<number> {
        await ctx.once('start', () => void done.push('start'));
        for (const name of names) {
            const { action } = await confirm(ctx, name);
            if (action === 'accept') done.push(name);
        }
        return done.length;
    }

    it('runs a function again from the top in each round, so that a test sees what happens twice', async () => {
        const done: string[] = [];
        const { rounds } = await playRounds(ctx => remove(ctx, ['a', 'b'], done), { answers: { confirm: sure } });
        expect(rounds.map(round => round.map(({ key }) => key))).toEqual([['confirm'], ['confirm#2']]);
        expect(done).toEqual(['start', 'a', 'a', 'b']); // 'a' is not in a once
    });

    it('gives what the function gave, under each mode', async () => {
        const done: string[] = [];
        const played = await playRounds(ctx => remove(ctx, ['a', 'b'], done), {
            mode: 'park',
            answers: ({ key }) => (key === 'confirm' ? sure : { action: 'cancel' })
        });
        expect(played.result).toBe(2);
        expect(done).toEqual(['start', 'a']);
    });

    it('sends asks that are open together in one round', async () => {
        const { rounds } = await playRounds(ctx => Promise.all([confirm(ctx, 'a'), ctx.need('roots', listRoots())]), {
            answers: { confirm: sure, roots: { roots: [] } }
        });
        expect(rounds.map(round => round.map(({ key }) => key))).toEqual([['confirm', 'roots']]);
    });

    it('throws what the function throws', async () => {
        const boom = new TypeError('boom');
        const failing = playRounds(
            async ctx => {
                await confirm(ctx, 'a');
                throw boom;
            },
            { answers: { confirm: sure } }
        );
        await expect(failing).rejects.toBe(boom);
    });

    it('throws the refusal of the engine, or an answer that is missing', async () => {
        let message = 0;
        const differs = playRounds(
            ctx =>
                ctx.need(
                    'a',
                    elicit({ message: String(message++), requestedSchema: { type: 'object', properties: {} } })
                ),
            {
                answers: { a: { action: 'decline' } }
            }
        );
        await expect(differs).rejects.toThrow('asked something else than what was answered');
        await expect(playRounds(ctx => confirm(ctx, 'a'))).rejects.toThrow("no answer to 'confirm'");
    });

    it('refuses what the client did not declare', async () => {
        const undeclared = playRounds(ctx => confirm(ctx, 'a'), { clientCapabilities: { roots: {} } });
        await expect(undeclared).rejects.toThrow('Client does not support form elicitation.');
    });
});
