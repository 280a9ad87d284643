import { setTimeout as delay } from 'node:timers/promises';

import type { AuthInfo } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import type { MrtrOptions, ResumableOptions } from '../../../shim/index.js';
import type { Frame, Reply } from '../frames.js';
import { answers, ask, askedKeys, replyText, scripted } from '../scripted-server.js';
import { DrivenTiming } from './driven-timing.js';

const as = (clientId: string): Pick<Frame, 'authInfo'> => ({
    authInfo: { token: 't', clientId, scopes: [] } satisfies AuthInfo
});

/** A handler that says what becomes of it, and asks again whatever that is. */
function subject(mrtrOptions: MrtrOptions = {}, options: ResumableOptions = { mode: 'park' }) {
    const timing = new DrivenTiming();
    const log: string[] = [];
    let calls = 0;
    const server = scripted(
        async ctx => {
            const call = ++calls;
            try {
                const a = await ask(ctx, 'a');
                const b = await ask(ctx, 'b');
                return `${a} ${b}`;
            } catch (error) {
                log.push(`${call} ${String(error)} ${JSON.stringify((error as { data?: unknown }).data)}`);
                await ctx.once('refund', () => log.push(`${call} cleaned up`));
                await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: '' } });
                await ask(ctx, 'again');
                log.push(`${call} went on`);
                return 'never';
            }
        },
        options,
        { principal: ctx => ctx.http?.authInfo?.clientId, ...mrtrOptions },
        timing
    );
    return { ...server, timing, log };
}

const retry = (reply: Reply, lines: Record<string, string>) => ({
    requestState: reply.result?.requestState,
    inputResponses: answers(lines)
});

const gone = { code: -32602, data: { reason: 'frame_gone' } };

/** What the push API rejected with when nobody answered. */
const timedOut = (call: number, seconds = 600): string[] => [
    `${call} SdkError: Request timed out {"timeout":${seconds * 1000}}`,
    `${call} cleaned up`
];

describe('a call that waits for its client', () => {
    it('may take as long as its round has, which is longer than the SDK waits', async () => {
        const { call, timing } = subject();
        const first = await call();
        await timing.pass(599);
        const second = await call(retry(first, { a: '1' }));
        await timing.pass(599);
        expect(replyText(await call(retry(second, { b: '2' })))).toBe('1 2');
    });

    it('ends with its round, as a pushed request did: its clean-up runs, and what it asks then never settles', async () => {
        const { call, timing, log, attempts } = subject();
        const first = await call();
        await timing.pass(601);
        expect(log).toEqual(timedOut(1));
        const late = await call(retry(first, { a: '1' }));
        expect(late.error).toMatchObject({ code: -32602, message: 'Invalid or expired requestState' });
        await timing.pass(601);
        expect({ log, runs: attempts() }).toEqual({ log: timedOut(1), runs: 1 });
    });

    it('has no longer for all of its rounds than a flow may take', async () => {
        const { call, timing, log } = subject({ ttlSeconds: 600, flowTtlSeconds: 700 });
        const first = await call();
        await timing.pass(500);
        const second = await call(retry(first, { a: '1' }));
        expect(askedKeys(second)).toEqual(['b']);
        await timing.pass(199);
        expect(log).toEqual([]);
        await timing.pass(2);
        expect(log).toEqual(timedOut(1));
    });

    it('makes room for new ones when the table is full, the oldest first', async () => {
        const { call, log, attempts } = subject({ maxParked: 2 });
        const [one, two] = [await call(), await call()];
        // Its second round makes it the youngest.
        const oneAgain = await call(retry(one, { a: '1' }));
        await call();
        await delay(20);
        expect(log).toEqual(timedOut(2));
        expect((await call(retry(two, { a: '1' }))).error).toMatchObject(gone);
        expect(replyText(await call(retry(oneAgain, { b: '2' })))).toBe('1 2');
        expect(attempts()).toBe(3);
    });

    it('makes room for the same principal only, if that has too many', async () => {
        const { call, log } = subject({ maxParkedPerPrincipal: 2 });
        const bob = await call(as('bob'));
        const ada = await call(as('ada'));
        await call(as('ada'));
        await call(as('ada'));
        await delay(20);
        expect(log).toEqual(timedOut(2));
        expect((await call({ ...as('ada'), ...retry(ada, { a: '1' }) })).error).toMatchObject(gone);
        expect(askedKeys(await call({ ...as('bob'), ...retry(bob, { a: '1' }) }))).toEqual(['b']);
    });

    it('is not limited per principal where there are none', async () => {
        const { call, log } = subject({ maxParkedPerPrincipal: 1 });
        await call();
        await call();
        await delay(20);
        expect(log).toEqual([]);
    });

    it('leaves nothing behind when it is over', async () => {
        const { call, timing } = subject();
        const second = await call(retry(await call(), { a: '1' }));
        expect(replyText(await call(retry(second, { b: '2' })))).toBe('1 2');
        await timing.pass(601);
        expect(timing.pending).toBe(0);
    });
});

describe.each(['close', Symbol.asyncDispose] as const)('%s', method => {
    it('ends the calls that wait, and resolves when they have cleaned up', async () => {
        let released = false;
        const { call, mrtr } = scripted(
            async ctx => {
                try {
                    return await ask(ctx, 'a');
                } finally {
                    await delay(50);
                    released = true;
                }
            },
            { mode: 'park' }
        );
        const first = await call();
        await mrtr[method]();
        expect(released).toBe(true);
        expect((await call(retry(first, { a: '1' }))).error).toMatchObject(gone);
    });

    it('takes no call in any more', async () => {
        const { call, mrtr, log } = subject();
        await mrtr[method]();
        expect((await call()).error).toMatchObject(gone);
        await delay(20);
        expect(log).toEqual(timedOut(1));
    });
});

it.each([{ maxParked: 0 }, { maxParkedPerPrincipal: NaN }])('does not take %j', options => {
    expect(() => subject(options)).toThrow(RangeError);
});
