import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { NeedContext, ResumableOptions } from '../../shim/index.js';
import { compileShim } from './compiled.js';
import { answers, ask, askedKeys, replyText, scripted } from './scripted-server.js';

const run = promisify(execFile);

/** Locks that are held, by name. */
class Locks {
    readonly held = new Set<string>();

    async around<T>(name: string, work: () => Promise<T>): Promise<T> {
        this.held.add(name);
        try {
            return await work();
        } finally {
            this.held.delete(name);
        }
    }
}

const ENDING: ResumableOptions[] = [{ mode: 'park' }, { mode: 'auto', replaySafe: true }, { onSuspend: 'unwind' }];

describe.each(ENDING)('a handler that ends while branches of it still ask (%j)', options => {
    it.each([1, 2])('lets them release what they hold, also those that ask once more: %d', async asks => {
        const locks = new Locks();
        const branch = (ctx: NeedContext, name: string, count: number) =>
            locks.around(name, async () => {
                for (let n = 1; n <= count; n++) await ask(ctx, `${name}-${n}`);
            });
        const { call } = scripted(async ctx => {
            await Promise.all([branch(ctx, 'bad', 1), branch(ctx, 'other', asks)]);
            return 'never';
        }, options);
        const first = await call();
        // Not what the form asks for: the ask rejects, and with it the handler.
        const inputResponses = { 'bad-1': { action: 'accept', content: { answer: 5 } } };
        const both = asks === 1 ? inputResponses : { ...inputResponses, ...answers({ 'other-1': 'yes' }) };
        const second = await call({ requestState: first.result!.requestState, inputResponses: both });
        expect(second.result).toMatchObject({ isError: true });
        await delay(50);
        expect([...locks.held]).toEqual([]);
    });
});

describe('a parked handler', () => {
    it('is told at its next ask that its call was cancelled while it worked', async () => {
        const locks = new Locks();
        const controller = new AbortController();
        const told: string[] = [];
        const { call } = scripted(
            ctx =>
                locks.around('lock', async () => {
                    await delay(50);
                    return ask(ctx, 'a').catch((error: unknown) => {
                        told.push(String(error));
                        throw error;
                    });
                }),
            { mode: 'park' }
        );
        const ended = call({ signal: controller.signal }).catch(() => 'cancelled');
        await delay(10);
        controller.abort();
        await ended;
        await delay(150);
        expect({ told: told.length, held: [...locks.held] }).toEqual({ told: 1, held: [] });
    });

    it('ends when its round cannot be bound to its call', async () => {
        const locks = new Locks();
        let broken = true;
        const { call } = scripted(
            ctx => locks.around('lock', () => ask(ctx, 'a')),
            { mode: 'park' },
            {
                principal: () => {
                    if (broken) throw new Error('no directory');
                    return 'ann';
                }
            }
        );
        expect(await call()).toMatchObject({ error: { code: -32603 } });
        await delay(20);
        expect([...locks.held]).toEqual([]);
        broken = false;
        expect(askedKeys(await call())).toEqual(['a']);
    });
});

describe('what a handler has left running beside its call', () => {
    it.each([{}, { mode: 'park' }] as const)('comes to its end (%j)', async options => {
        const done: string[] = [];
        const { play } = scripted(async ctx => {
            const answer = await ask(ctx, 'a');
            void (async () => {
                await delay(10);
                await ctx.once('write', () => done.push('once'));
                await ctx.mcpReq.log('info', 'written');
                done.push('log');
            })();
            return answer;
        }, options);
        expect(replyText(await play({ a: 'yes' }))).toBe('yes');
        await delay(60);
        expect(done).toEqual(['once', 'log']);
    });
});

describe('a branch that is awaited later', () => {
    let folder: string;
    beforeAll(() => {
        folder = compileShim();
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('does not end the process when its frame is unwound, and other rejections do as ever', async () => {
        const script = join(folder, 'test/shim/unwound-branches.js');
        const { stdout } = await run(process.execPath, [script, 'asks'], { cwd: process.cwd() });
        expect(stdout).toBe('to a to b\n');
        await expect(run(process.execPath, [script, 'fails'], { cwd: process.cwd() })).rejects.toMatchObject({
            code: 1,
            stderr: expect.stringContaining('Error: of its own') as string
        });
    });
});
