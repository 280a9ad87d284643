import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import type { Reply } from '../frames.js';
import { answers, ask, askedKeys, replyText, scripted } from '../scripted-server.js';
import { DrivenTiming } from './driven-timing.js';

/** A handler with an effect after each of its asks. */
function subject() {
    const timing = new DrivenTiming();
    const effects: string[] = [];
    const faults: string[] = [];
    const server = scripted(
        async ctx => {
            const a = await ask(ctx, 'a');
            await delay(30);
            effects.push(`a ${a}`);
            const b = await ask(ctx, 'b');
            await delay(30);
            effects.push(`b ${b}`);
            return `${a} ${b}`;
        },
        { mode: 'park' },
        { onError: ({ fault }) => faults.push(fault) },
        timing
    );
    return { ...server, timing, effects, faults };
}

const retry = (reply: Reply, lines: Record<string, string>) => ({
    requestState: reply.result?.requestState,
    inputResponses: answers(lines)
});

function expectLost(reply: Reply, reason: string): void {
    expect(reply.error).toMatchObject({ code: -32602, data: { reason } });
    expect(reply.result).toBeUndefined();
}

describe('a retry that is sent twice', () => {
    it('at the same moment: joins the round that runs', async () => {
        const { call, effects, attempts } = subject();
        const first = await call();
        const [one, two, three] = await Promise.all([1, 2, 3].map(() => call(retry(first, { a: '1' }))));
        expect(askedKeys(one!)).toEqual(['b']);
        expect([two!.result, three!.result]).toEqual([one!.result, one!.result]);
        expect(effects).toEqual(['a 1']);
        const last = await Promise.all([1, 2].map(() => call(retry(one!, { b: '2' }))));
        expect(last.map(replyText)).toEqual(['1 2', '1 2']);
        expect({ effects, runs: attempts() }).toEqual({ effects: ['a 1', 'b 2'], runs: 1 });
    });

    it('later: gets the result of the finished round for a minute, and then none', async () => {
        const { call, timing, effects, faults } = subject();
        const first = await call();
        const second = await call(retry(first, { a: '1' }));
        await timing.pass(59);
        expect((await call(retry(first, { a: '1' }))).result).toEqual(second.result);
        await timing.pass(2);
        expectLost(await call(retry(first, { a: '1' })), 'already_used');
        const third = await call(retry(second, { b: '2' }));
        expect(replyText(third)).toBe('1 2');
        expect(replyText(await call(retry(second, { b: '2' })))).toBe('1 2');
        await timing.pass(61);
        expectLost(await call(retry(second, { b: '2' })), 'already_used');
        expect(effects).toEqual(['a 1', 'b 2']);
        expect(faults).toEqual(['already_used', 'already_used']);
    });

    it('with other answers: is refused, while the round runs and after', async () => {
        const { call, effects } = subject();
        const first = await call();
        const running = call(retry(first, { a: 'no' }));
        await delay(10);
        expectLost(await call(retry(first, { a: 'yes' })), 'already_used');
        await running;
        expectLost(await call(retry(first, { a: 'yes' })), 'already_used');
        expect(effects).toEqual(['a no']);
    });

    it('with the same error, if that is how the round ended', async () => {
        const { call } = scripted(
            async ctx => {
                await ask(ctx, 'a');
                throw new Error('broken');
            },
            { mode: 'park' }
        );
        const first = await call();
        const replies = await Promise.all([call(retry(first, { a: '1' })), call(retry(first, { a: '1' }))]);
        expect(replies.map(replyText)).toEqual(['broken', 'broken']);
    });
});

describe('a state', () => {
    it('of an earlier round does not go back to it', async () => {
        const { call, timing, attempts } = subject();
        const first = await call();
        const second = await call(retry(first, { a: '1' }));
        expect(second.result?.requestState).not.toBe(first.result?.requestState);
        await timing.pass(61);
        expectLost(await call(retry(first, { a: '2' })), 'already_used');
        expect(replyText(await call(retry(second, { b: '2' })))).toBe('1 2');
        expect(attempts()).toBe(1);
    });

    it('with other arguments is refused before anything is looked up', async () => {
        const { call, attempts } = subject();
        const first = await call();
        const other = await call({ ...retry(first, { a: '1' }), arguments: { injected: true } });
        expect(other.error).toEqual({
            code: -32602,
            message: 'Invalid or expired requestState',
            data: { reason: 'invalid_request_state' }
        });
        expect(replyText(await call(retry(await call(retry(first, { a: '1' })), { b: '2' })))).toBe('1 2');
        expect(attempts()).toBe(1);
    });

    it('of another instance says so, and starts nothing', async () => {
        const [one, two] = [subject(), subject()];
        const first = await one.call();
        expectLost(await two.call(retry(first, { a: '1' })), 'other_instance');
        expect(two.attempts()).toBe(0);
        expect(replyText(await one.call(retry(await one.call(retry(first, { a: '1' })), { b: '2' })))).toBe('1 2');
    });
});

describe('answers', () => {
    it('that are missing are asked for again, and the others are kept', async () => {
        const { call, attempts } = scripted(
            async ctx => (await Promise.all([ask(ctx, 'a'), ask(ctx, 'b'), ask(ctx, 'c')])).join(),
            { mode: 'park' }
        );
        const first = await call();
        const second = await call(retry(first, { b: '2' }));
        expect(askedKeys(second)).toEqual(['a', 'c']);
        const third = await call(retry(second, { a: '1', b: 'changed', c: '3' }));
        expect(replyText(third)).toBe('1,2,3');
        expect(attempts()).toBe(1);
    });

    it('of the wrong shape count as missing', async () => {
        const { call } = scripted(ctx => ask(ctx, 'a'), { mode: 'park' });
        const first = await call();
        const second = await call({
            requestState: first.result?.requestState,
            inputResponses: { a: { action: 'perhaps' } }
        });
        expect(askedKeys(second)).toEqual(['a']);
        expect(replyText(await call(retry(second, { a: '1' })))).toBe('1');
    });

    it('to what was not asked skip nothing', async () => {
        const { call } = scripted(async ctx => `${await ask(ctx, 'a')} ${await ask(ctx, 'b')}`, { mode: 'park' });
        const first = await call();
        const second = await call(retry(first, { a: '1', b: 'in advance' }));
        expect(askedKeys(second)).toEqual(['b']);
    });

    it('that do not match the form reject at the await, in the same run', async () => {
        const { call, attempts } = scripted(
            async ctx => {
                const first = await ask(ctx, 'a').catch((error: unknown) => String(error));
                return `${first} / ${await ask(ctx, 'b')}`;
            },
            { mode: 'park' }
        );
        const first = await call();
        const second = await call({
            requestState: first.result?.requestState,
            inputResponses: { a: { action: 'accept', content: { answer: 7 } } }
        });
        expect(replyText(await call(retry(second, { b: '2' })))).toMatch(/does not match requested schema.*\/ 2$/);
        expect(attempts()).toBe(1);
    });
});
