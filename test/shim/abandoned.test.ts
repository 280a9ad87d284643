import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { createMrtr } from '../../shim/index.js';
import type { NeedContext } from '../../shim/index.js';
import { connect, textOf } from './clients.js';
import { answers, ask, askedKeys, KEY, replyText, scripted } from './scripted-server.js';

describe('an abandoned attempt', () => {
    it('does nothing any more: its asks and onces do not even start', async () => {
        const done: string[] = [];
        const { call } = scripted(async (ctx, attempt) => {
            const other = async (): Promise<void> => {
                await delay(30);
                done.push(`woke ${attempt}`);
                await ctx.once('effect', () => done.push(`effect ${attempt}`));
                done.push(`after once ${attempt}`);
                await ask(ctx, 'b');
                done.push(`after ask ${attempt}`);
            };
            const [answer] = await Promise.all([ask(ctx, 'a'), attempt === 1 ? other() : undefined]);
            return answer;
        });
        const first = await call();
        expect(askedKeys(first)).toEqual(['a']);
        await delay(100);
        expect(done).toEqual(['woke 1']);
        const second = await call({ requestState: first.result!.requestState, inputResponses: answers({ a: '1' }) });
        expect(replyText(second)).toBe('1');
    });

    it('runs neither its catch nor its finally', async () => {
        const ran: string[] = [];
        const { play } = scripted(async ctx => {
            try {
                return await ask(ctx, 'a');
            } catch (error) {
                ran.push('catch');
                throw error;
            } finally {
                ran.push('finally');
            }
        });
        expect(replyText(await play({ a: '1' }))).toBe('1');
        expect(ran).toEqual(['finally']);
    });

    it('is collected', async () => {
        setFlagsFromString('--expose-gc');
        const gc = runInNewContext('gc') as () => void;
        let collected = 0;
        const registry = new FinalizationRegistry(() => collected++);
        const { call } = scripted(async ctx => {
            const frame = { big: new Array<number>(1000).fill(0) };
            registry.register(frame, undefined);
            const answer = await ask(ctx, 'a');
            return `${answer} ${frame.big.length}`;
        });
        for (let flow = 0; flow < 200; flow++) await call();
        for (let tries = 0; tries < 50 && collected < 190; tries++) {
            await delay(10);
            gc();
        }
        // The last frames may still be on the stack of something.
        expect(collected).toBeGreaterThanOrEqual(190);
    });
});

describe('what a handler sends beside its result', () => {
    const WIRES = ['http', 'stdio'] as const;

    async function heard(
        wire: (typeof WIRES)[number],
        handler: (ctx: NeedContext, seen: unknown[]) => Promise<string>
    ) {
        const { attach, resumable } = createMrtr({ key: KEY });
        const seen: unknown[] = [];
        const build = (): McpServer => {
            const server = attach(new McpServer({ name: 'talks', version: '1.0.0' }));
            server.registerTool(
                't',
                {},
                resumable(async ctx => ({ content: [{ type: 'text', text: await handler(ctx, seen) }] }))
            );
            return server;
        };
        const { client, close } = await connect(build, wire, { elicit: () => ({ action: 'decline' }) });
        // The client reports its rounds as progress too, without a message of ours.
        const progress: number[] = [];
        const result = await client.callTool(
            { name: 't' },
            {
                onprogress: event => {
                    if (event.message === 'step') progress.push(event.progress);
                }
            }
        );
        await close();
        return { text: textOf(result), progress, seen };
    }

    it.each(WIRES)('reaches the client once over %s, with the token of the round', async wire => {
        const step = (ctx: NeedContext, progress: number) =>
            ctx.mcpReq.notify({
                method: 'notifications/progress',
                params: { progressToken: ctx.mcpReq._meta?.progressToken ?? -1, progress, message: 'step' }
            });
        const { text, progress } = await heard(wire, async ctx => {
            await step(ctx, 1);
            const a = await ask(ctx, 'a');
            await step(ctx, 2);
            const b = await ask(ctx, 'b');
            await step(ctx, 3);
            return `${a} ${b}`;
        });
        expect(text).toBe('decline decline');
        expect(progress).toEqual([1, 2, 3]);
    });

    it.each(WIRES)('ctx.round and ctx.replaying are live over %s', async wire => {
        const { seen } = await heard(wire, async (ctx, told) => {
            told.push([ctx.round, ctx.replaying]);
            await ask(ctx, 'a');
            told.push([ctx.round, ctx.replaying]);
            await ask(ctx, 'b');
            told.push([ctx.round, ctx.replaying]);
            return '';
        });
        expect(seen).toEqual([
            [0, false],
            [1, true],
            [1, false],
            [2, true],
            [2, true],
            [2, false]
        ]);
    });

    it('sees the signal of its own round', async () => {
        const { seen } = await heard('http', async (ctx, told) => {
            told.push(ctx.mcpReq.signal);
            await ask(ctx, 'a');
            told.push(ctx.mcpReq.signal.aborted, ctx.mcpReq.requestState(), 'inputResponses' in ctx.mcpReq);
            return '';
        });
        expect(seen[0]).not.toBe(seen[1]);
        expect(seen.slice(2)).toEqual([false, undefined, false]);
    });
});
