import { setTimeout as delay } from 'node:timers/promises';

import { McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { createMrtr, listRoots } from '../../../shim/index.js';
import type { Mrtr, NeedContext, RoundEvent } from '../../../shim/index.js';
import { connect, textOf } from '../clients.js';
import type { Scene } from '../clients.js';
import { answers, ask, askedKeys, KEY, replyText, scripted } from '../scripted-server.js';

const WIRES = ['http', 'stdio'] as const;

function serverOf({ attach, resumable }: Mrtr, handler: (ctx: NeedContext) => Promise<string>): McpServer {
    const server = attach(new McpServer({ name: 'context', version: '1.0.0' }, { capabilities: { logging: {} } }));
    const parked = resumable({ mode: 'park' }, async ctx => ({
        content: [{ type: 'text' as const, text: await handler(ctx) }]
    }));
    server.registerTool('t', {}, parked);
    return server;
}

function step(ctx: NeedContext, progress: number): Promise<void> {
    const progressToken = ctx.mcpReq._meta?.progressToken ?? -1;
    return ctx.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, message: 'step' }
    });
}

describe.each(WIRES)('the context of a parked handler, over %s,', wire => {
    async function run(handler: (ctx: NeedContext) => Promise<string>, scene: Scene = {}) {
        const rounds: RoundEvent[] = [];
        const mrtr = createMrtr({ key: KEY, onRound: event => rounds.push(event) });
        const { client, close } = await connect(() => serverOf(mrtr, handler), wire, {
            elicit: () => ({ action: 'decline' }),
            ...scene
        });
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
        return { text: textOf(result), progress, rounds: rounds.map(({ round, keys }) => [round, ...keys]) };
    }

    it('sends progress with the token of the present round', async () => {
        const tokens = new Set<unknown>();
        const { text, progress } = await run(async ctx => {
            const note = async (value: number): Promise<void> => {
                tokens.add(ctx.mcpReq._meta?.progressToken);
                await step(ctx, value);
            };
            await note(1);
            const a = await ask(ctx, 'a');
            await note(2);
            const b = await ask(ctx, 'b');
            await note(3);
            return `${a} ${b}`;
        });
        expect({ text, progress, tokens: tokens.size }).toEqual({
            text: 'decline decline',
            progress: [1, 2, 3],
            tokens: 3
        });
    });

    it('is silent between the rounds, and goes on', async () => {
        // The client is asked when the round is over, and answers when the handler has gone on.
        let atClient = (): void => undefined;
        const betweenRounds = new Promise<void>(resolve => (atClient = resolve));
        let goneOn = (): void => undefined;
        const afterNotes = new Promise<void>(resolve => (goneOn = resolve));
        const { progress } = await run(
            async ctx => {
                const between = betweenRounds.then(async () => {
                    await step(ctx, 1);
                    goneOn();
                });
                const [a] = await Promise.all([ask(ctx, 'a'), between]);
                await step(ctx, 2);
                return a;
            },
            {
                elicit: async () => {
                    atClient();
                    await afterNotes;
                    return { action: 'decline' };
                }
            }
        );
        expect(progress).toEqual([2]);
    });

    it('survives a copy, and functions that are taken out of it', async () => {
        const { text } = await run(async ctx => {
            const copy = { ...ctx, mcpReq: { ...ctx.mcpReq } };
            const { need } = copy;
            const { notify, log } = copy.mcpReq;
            const { roots } = await need('roots', listRoots());
            await notify({ method: 'notifications/progress', params: { progressToken: -1, progress: 1 } });
            await log('info', 'here');
            return roots.map(({ uri }) => uri).join();
        });
        expect(text).toBe('file:///home');
    });

    it('takes what code around the handler puts in the place of a member', async () => {
        const logged: unknown[] = [];
        const { text } = await run(async ctx => {
            ctx.mcpReq.log = (level, data) => Promise.resolve(void logged.push(level, data));
            const answer = await ask(ctx, 'a');
            await ctx.mcpReq.log('info', 'after');
            return answer;
        });
        expect({ text, logged }).toEqual({ text: 'decline', logged: ['info', 'after'] });
    });

    it('asks with the next round what it is asked between two', async () => {
        let atClient = (): void => undefined;
        const betweenRounds = new Promise<void>(resolve => (atClient = resolve));
        const { text, rounds } = await run(
            async ctx => {
                const late = betweenRounds.then(() => ask(ctx, 'b'));
                return (await Promise.all([ask(ctx, 'a'), late])).join(' ');
            },
            {
                elicit: async () => {
                    atClient();
                    // Long enough for a round that is sent too early.
                    await delay(50);
                    return { action: 'decline' };
                }
            }
        );
        expect({ text, rounds }).toEqual({
            text: 'decline decline',
            rounds: [
                [1, 'a'],
                [2, 'b']
            ]
        });
    });

    it('counts the rounds, and never replays', async () => {
        const seen: unknown[] = [];
        await run(async ctx => {
            for (const key of ['a', 'b']) {
                seen.push([ctx.round, ctx.replaying]);
                await ask(ctx, key);
            }
            seen.push([ctx.round, ctx.replaying, ctx.mcpReq.requestState(), 'inputResponses' in ctx.mcpReq]);
            return '';
        });
        expect(seen).toEqual([
            [0, false],
            [1, false],
            [2, false, undefined, false]
        ]);
    });

    it('is refused what the client of the round did not declare', async () => {
        const { text } = await run(ctx => ask(ctx, 'a').catch((error: unknown) => String(error)), {
            capabilities: { roots: {} }
        });
        expect(text).toBe('SdkError: Client does not support form elicitation.');
    });
});

describe('a round that is cancelled', () => {
    it('stops the handler that works in it, and rejects what it asks', async () => {
        const log: string[] = [];
        const mrtr = createMrtr({ key: KEY });
        const handler = async (ctx: NeedContext): Promise<string> => {
            const { signal } = ctx.mcpReq;
            await ask(ctx, 'a');
            // The once keeps the round of the second ask from being sent.
            const work = ctx.once('work', async () => {
                log.push('working');
                await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
                log.push(`stopped: ${String(signal.reason)}`);
            });
            await ask(ctx, 'b').catch((error: unknown) => log.push(String(error)));
            await work;
            return 'never seen';
        };
        const { client, close } = await connect(() => serverOf(mrtr, handler), 'stdio', {
            elicit: () => ({ action: 'decline' })
        });
        const controller = new AbortController();
        const call = client.callTool({ name: 't' }, { signal: controller.signal });
        call.catch(() => undefined);
        while (!log.includes('working')) await delay(5);
        controller.abort('enough');
        await expect(call).rejects.toThrow();
        while (log.length < 3) await delay(5);
        // As a pushed request, that belongs to the call, is cancelled with it.
        expect(log.toSorted()).toEqual(['SdkError: enough', 'stopped: enough', 'working']);
        await close();
    });
});

describe('code above a parked handler', () => {
    it('runs again in each round, and its handlers go on where they are', async () => {
        const runs: string[] = [];
        const { attach, resumable } = createMrtr({ key: KEY });
        const part = (key: string) =>
            resumable({ mode: 'park' }, async ctx => {
                runs.push(key);
                return ask(ctx, key);
            });
        const [first, second] = [part('a'), part('b')];
        const build = (): Server => {
            const server = attach(
                new Server({ name: 'dispatcher', version: '1.0.0' }, { capabilities: { tools: {} } })
            );
            server.setRequestHandler('tools/call', async (_request, ctx) => {
                runs.push('above');
                const texts = [await first(ctx), await second(ctx)];
                return { content: [{ type: 'text', text: texts.join(' ') }] };
            });
            return server;
        };
        const { client, close } = await connect(build, 'http', { elicit: () => ({ action: 'decline' }) });
        expect(textOf(await client.callTool({ name: 't' }))).toBe('decline decline');
        await close();
        expect(runs).toEqual(['above', 'a', 'above', 'b', 'above']);
    });

    it('may start one in the turn in which it joins another', async () => {
        const { attach, resumable } = createMrtr({ key: KEY });
        const part = (key: string) => resumable({ mode: 'park' }, ctx => ask(ctx, key));
        const [first, second] = [part('a'), part('b')];
        let rounds = 0;
        const build = (): Server => {
            const server = attach(
                new Server({ name: 'dispatcher', version: '1.0.0' }, { capabilities: { tools: {} } })
            );
            server.setRequestHandler('tools/call', async (_request, ctx) => {
                const parts = [first(ctx)];
                if (++rounds > 1) parts.push(second(ctx));
                return { content: [{ type: 'text', text: (await Promise.all(parts)).join(' ') }] };
            });
            return server;
        };
        const { client, close } = await connect(build, 'http', { elicit: () => ({ action: 'decline' }) });
        expect(textOf(await client.callTool({ name: 't' }))).toBe('decline decline');
        await close();
    });

    it('may not begin with one that runs again: the parked one would, too', async () => {
        const { attach, resumable } = createMrtr({ key: KEY });
        const [replayed, parked] = [resumable(ctx => ask(ctx, 'a')), resumable({ mode: 'park' }, ctx => ask(ctx, 'b'))];
        const build = (): Server => {
            const server = attach(
                new Server({ name: 'dispatcher', version: '1.0.0' }, { capabilities: { tools: {} } })
            );
            server.setRequestHandler('tools/call', async (_request, ctx) => {
                const texts = [await replayed(ctx), await parked(ctx)];
                return { content: [{ type: 'text', text: texts.join(' ') }] };
            });
            return server;
        };
        const { client, close } = await connect(build, 'http', { elicit: () => ({ action: 'decline' }) });
        await expect(client.callTool({ name: 't' })).rejects.toThrow(/the same mode/);
        await close();
    });

    it('may fail before it comes to them: the state is not used up', async () => {
        const { attach, resumable } = createMrtr({ key: KEY });
        let broken = false;
        const handler = resumable({ mode: 'park' }, ctx => ask(ctx, 'a'));
        const build = (): Server => {
            const server = attach(new Server({ name: 'broken', version: '1.0.0' }, { capabilities: { tools: {} } }));
            server.setRequestHandler('tools/call', async (_request, ctx) => {
                if (broken) throw new Error('database is down');
                return { content: [{ type: 'text', text: await handler(ctx) }] };
            });
            return server;
        };
        const { client, close } = await connect(build, 'http', {
            elicit: () => {
                broken = true;
                setTimeout(() => (broken = false), 100);
                return { action: 'decline' };
            }
        });
        await expect(client.callTool({ name: 't' })).rejects.toThrow(/database is down/);
        await close();
    });

    it('may be another resumable handler: both are one frame', async () => {
        const { attach, resumable } = createMrtr({ key: KEY });
        const runs: string[] = [];
        const inner = resumable(async (ctx: NeedContext) => {
            runs.push('inner');
            return ask(ctx, 'b');
        });
        const build = (): McpServer => {
            const server = attach(new McpServer({ name: 'nested', version: '1.0.0' }));
            const outer = resumable({ mode: 'park' }, async ctx => {
                runs.push('outer');
                const a = await ask(ctx, 'a');
                return {
                    content: [{ type: 'text' as const, text: `${a} ${await inner(ctx)} ${await ask(ctx, 'b')}` }]
                };
            });
            server.registerTool('t', {}, outer);
            return server;
        };
        const { client, asked, close } = await connect(build, 'http', { elicit: () => ({ action: 'decline' }) });
        expect(textOf(await client.callTool({ name: 't' }))).toBe('decline decline decline');
        await close();
        expect({ runs, asked }).toEqual({ runs: ['outer', 'inner'], asked: ['a?', 'b?', 'b?'] });
    });
});

it('a once of a parked handler runs once, and a round is sent beside one that takes long', async () => {
    const runs: string[] = [];
    const { call } = scripted(
        async ctx => {
            const slow = ctx.once('slow', () => delay(2600).then(() => runs.push('slow')));
            const [a] = await Promise.all([ask(ctx, 'a'), slow]);
            return `${a} ${runs.length}`;
        },
        { mode: 'park' }
    );
    const began = performance.now();
    const first = await call();
    expect(askedKeys(first)).toEqual(['a']);
    expect(performance.now() - began).toBeLessThan(2500);
    const last = await call({ requestState: first.result?.requestState, inputResponses: answers({ a: '1' }) });
    expect(replyText(last)).toBe('1 1');
});
