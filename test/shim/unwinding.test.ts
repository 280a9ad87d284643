import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it, vi } from 'vitest';

import { isSuspended } from '../../shim/index.js';
import type { NeedContext } from '../../shim/index.js';
import { answers, ask, askedKeys, replyText, scripted } from './scripted-server.js';

const unwind = { onSuspend: 'unwind' } as const;

/** A lock that one holder has at a time, as a handler takes it around an ask. */
class Lock {
    #held: Promise<void> = Promise.resolve();

    async take(): Promise<() => void> {
        const before = this.#held;
        let release = (): void => undefined;
        this.#held = new Promise(resolve => (release = resolve));
        await before;
        return release;
    }
}

describe("onSuspend: 'unwind'", () => {
    async function locked(lock: Lock, ctx: NeedContext): Promise<string> {
        const release = await lock.take();
        try {
            return await ask(ctx, 'a');
        } finally {
            release();
        }
    }

    it('releases a lock that is held over the ask', async () => {
        const lock = new Lock();
        const { play } = scripted(ctx => locked(lock, ctx), unwind);
        expect(replyText(await play({ a: '1' }))).toBe('1');
    });

    it('is what that takes: an abandoned frame keeps its lock', async () => {
        const lock = new Lock();
        const { call } = scripted(ctx => locked(lock, ctx));
        const first = await call();
        const second = call({ requestState: first.result!.requestState, inputResponses: answers({ a: '1' }) });
        expect(await Promise.race([second, delay(200, 'waits')])).toBe('waits');
    });

    it('rejects after the round is captured, with an error that tells itself apart', async () => {
        const caught: unknown[] = [];
        const { call, play } = scripted(async ctx => {
            try {
                return await ask(ctx, 'a');
            } catch (error) {
                caught.push(error);
                // Swallowed: the round has been sent, and this result counts no more.
                return 'swallowed';
            }
        }, unwind);
        expect(askedKeys(await call())).toEqual(['a']);
        await vi.waitFor(() => expect(caught.map(isSuspended)).toEqual([true]));
        expect(replyText(await play({ a: '1' }))).toBe('1');
    });

    it('does nothing of what follows a catch that swallows it', async () => {
        const done: string[] = [];
        const notified: string[] = [];
        const { call, play } = scripted(async ctx => {
            try {
                return await ask(ctx, 'a');
            } catch {
                await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
                notified.push('went on');
                await ctx.once('refund', () => done.push('once')).catch(() => notified.push('once refused'));
                try {
                    ctx.onceSync('id', () => done.push('onceSync'));
                } catch (error) {
                    notified.push(`onceSync refused ${isSuspended(error)}`);
                }
                return await ask(ctx, 'b');
            }
        }, unwind);
        await call();
        await delay(20);
        expect({ done, notified }).toEqual({
            done: [],
            notified: ['went on', 'once refused', 'onceSync refused true']
        });
        expect(replyText(await play({ a: '1' }))).toBe('1');
    });

    it('ends a loop that asks until it is answered', async () => {
        let tries = 0;
        const { call } = scripted(async ctx => {
            for (;;) {
                try {
                    return await ask(ctx, 'a');
                } catch {
                    tries++;
                }
            }
        }, unwind);
        expect(askedKeys(await call())).toEqual(['a']);
        // The open ask, and sixteen more.
        await vi.waitFor(() => expect(tries).toBe(17), 5000);
        await delay(50);
        expect(tries).toBe(17);
    });

    it('lets the process breathe between the rejections', async () => {
        const order: string[] = [];
        const { call } = scripted(async ctx => {
            setImmediate(() => order.push('other work'));
            for (let tries = 0; tries < 10; tries++) await ask(ctx, 'a').catch(() => order.push('rejected'));
            return 'done';
        }, unwind);
        await call();
        await delay(50);
        expect(order.indexOf('other work')).toBeLessThan(order.lastIndexOf('rejected'));
        expect(order.filter(entry => entry === 'rejected')).toHaveLength(10);
    });

    it('rejects all that are open', async () => {
        const seen: string[] = [];
        const { play } = scripted(async (ctx, attempt) => {
            const settled = await Promise.allSettled([ask(ctx, 'a'), ask(ctx, 'b')]);
            seen.push(`${attempt} ${settled.map(({ status }) => status).join()}`);
            return settled.map(result => (result.status === 'fulfilled' ? result.value : 'rejected')).join();
        }, unwind);
        expect(replyText(await play({ a: '1', b: '2' }))).toBe('1,2');
        expect(seen).toEqual(['1 rejected,rejected', '2 fulfilled,fulfilled']);
    });
});

it.each([new Error('other'), undefined, null, 'text', {}])('isSuspended does not know %s', value => {
    expect(isSuspended(value)).toBe(false);
});
