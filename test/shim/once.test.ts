import { setTimeout as delay } from 'node:timers/promises';

import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { createMrtr, need, elicit } from '../../shim/index.js';
import type { NeedContext } from '../../shim/index.js';
import { connect, textOf, WIRES } from './clients.js';
import type { Wire } from './clients.js';
import { ask, askedKeys, FORM, KEY, replyText, scripted } from './scripted-server.js';

describe('once', () => {
    it('runs its function once per call, and gives the same to every attempt', async () => {
        let runs = 0;
        const seen: unknown[] = [];
        const { play } = scripted(async ctx => {
            const value = await ctx.once('value', () => ({ run: ++runs, at: new Date(0), no: undefined }));
            seen.push(value);
            return `${value.run} ${await ask(ctx, 'a')} ${await ask(ctx, 'b')}`;
        });
        expect(replyText(await play({ a: 'x' }, { b: 'y' }))).toBe('1 x y');
        // The first attempt has the JSON copy too: a Date there would be a Date once, and then a string.
        expect(seen).toEqual([1, 1, 1].map(run => ({ run, at: '1970-01-01T00:00:00.000Z' })));
    });

    it('keeps a failure, with name, message and code', async () => {
        let runs = 0;
        const { play } = scripted(async ctx => {
            let failure = '';
            try {
                await ctx.once('fails', () => {
                    throw Object.assign(new RangeError(`failed in run ${++runs}`), { code: 'E_RANGE' });
                });
            } catch (error) {
                const { name, message, code } = error as Error & { code: string };
                failure = [name, message, code].join();
            }
            return `${failure} ${await ask(ctx, 'a')}`;
        });
        expect(replyText(await play({ a: 'x' }))).toBe('RangeError,failed in run 1,E_RANGE x');
    });

    it('keeps what is thrown and is no error', async () => {
        let runs = 0;
        const { play } = scripted(async ctx => {
            const told = await ctx
                .once('fails', () => {
                    runs++;

                    throw Object.create(null);
                })
                .catch(String);
            return `${told} ${await ask(ctx, 'a')}`;
        });
        expect(replyText(await play({ a: 'x' }))).toBe('Error: [object Object] x');
        expect(runs).toBe(1);
    });

    it('is of its own call, where a queue runs the work of one call in the context of another', async () => {
        let charged = 0;
        const jobs: (() => void)[] = [];
        const host = scripted(async ctx => {
            // Whoever is waiting is started from inside of this once.
            await ctx.once('drain', () => jobs.splice(0).forEach(job => job()));
            return ask(ctx, 'q');
        });
        const waiting = scripted(async ctx => {
            const total = await new Promise<number>((resolve, reject) =>
                jobs.push(() => {
                    Promise.all([ctx.once('charge', () => ++charged), ask(ctx, 'sure')]).then(
                        ([n]) => resolve(n),
                        reject
                    );
                })
            );
            return `charged ${total}`;
        });
        const started = waiting.call();
        await delay(5);
        await host.call();
        const first = await started;
        expect(askedKeys(first)).toEqual(['sure']);
        const again = waiting.call({
            requestState: first.result!.requestState,
            inputResponses: { sure: { action: 'accept', content: { answer: 'yes' } } }
        });
        await delay(5);
        await host.call();
        expect(replyText(await again)).toBe('charged 1');
        expect(charged).toBe(1);
    });

    it('runs side by side, and holds the round until all have ended', async () => {
        const done: string[] = [];
        const { call } = scripted(async ctx => {
            const work = (name: string, ms: number) =>
                ctx.once(name, async () => {
                    await delay(ms);
                    done.push(name);
                    return name;
                });
            return (await Promise.all([ask(ctx, 'a'), work('slow', 60), work('quick', 5)])).join();
        });
        const first = await call();
        expect(askedKeys(first)).toEqual(['a']);
        expect(done).toEqual(['quick', 'slow']);
        const second = await call({
            requestState: first.result!.requestState,
            inputResponses: { a: { action: 'decline' } }
        });
        expect(replyText(second)).toBe('decline,slow,quick');
        expect(done).toEqual(['quick', 'slow']);
    });

    it('gives side by side results in the order in which they came first', async () => {
        const { play } = scripted(async (ctx, attempt) => {
            const work = (name: string, ms: number) => ctx.once(name, () => delay(attempt === 1 ? ms : 0, name));
            const winner = await Promise.race([work('slow', 40), work('quick', 5)]);
            return `${winner} ${await ask(ctx, 'a')}`;
        });
        expect(replyText(await play({ a: 'x' }))).toBe('quick x');
    });

    it('numbers later occurrences of a key', async () => {
        let runs = 0;
        const { play } = scripted(async ctx => {
            const values = [await ctx.once('n', () => ++runs), await ctx.once('n', () => ++runs)];
            return `${values.join()} ${await ask(ctx, 'n')}`;
        });
        expect(replyText(await play({ n: 'x' }))).toBe('1,2 x');
    });

    it('may contain another once, which is part of it', async () => {
        let runs = 0;
        const { play } = scripted(async ctx => {
            const value = await ctx.once('outer', async () => (await ctx.once('inner', () => ++runs)) * 10);
            return `${value} ${await ask(ctx, 'a')}`;
        });
        expect(replyText(await play({ a: 'x' }))).toBe('10 x');
        expect(runs).toBe(1);
    });

    it('gives nothing where its function gives nothing', async () => {
        const { play } = scripted(async ctx => {
            const nothing = await ctx.once('nothing', (): unknown => undefined);
            return `${String(nothing)} ${await ask(ctx, 'a')}`;
        });
        expect(replyText(await play({ a: 'x' }))).toBe('undefined x');
    });

    it.each([
        ['a function', { rows: [{ load: () => 1 }] }, "at 'rows[0].load' is a function"],
        ['a bigint', 1n, 'its result is a bigint'],
        ['NaN', { total: NaN }, "at 'total' is NaN"],
        ['a map', { index: new Map() }, "at 'index' is of type Map"],
        ['a hole', [1, undefined], "at '[1]' is undefined in an array"],
        ['bytes', new Uint8Array(2), 'of type Uint8Array'],
        ['an error', { reason: new Error('x') }, "at 'reason' is of type Error"]
    ])('refuses %s, with its path, and does not run again', async (_, value, message) => {
        let runs = 0;
        const { play } = scripted(async ctx => {
            const said = await ctx
                .once('value', () => {
                    runs++;
                    return value;
                })
                .then(String, (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`);
            return `${said} ${await ask(ctx, 'a')}`;
        });
        const text = replyText(await play({ a: 'x' }));
        expect(text).toContain(`OnceValueError: ctx.once('value')`);
        expect(text).toContain(message);
        expect(runs).toBe(1);
    });

    it('refuses a cycle', async () => {
        const cycle: Record<string, unknown> = {};
        cycle['self'] = cycle;
        const { call } = scripted(ctx => ctx.once('cycle', () => cycle).then(() => 'recorded'));
        expect((await call()).result).toMatchObject({
            isError: true,
            content: [{ text: expect.stringContaining("'self'") as string }]
        });
    });

    it('cannot be changed by the handler for later attempts', async () => {
        const { play } = scripted(async ctx => {
            const list = await ctx.once('list', () => [1]);
            list.push(2);
            await ask(ctx, 'a');
            return JSON.stringify(list);
        });
        expect(replyText(await play({ a: 'x' }))).toBe('[1,2]');
    });
});

describe('onceSync', () => {
    it('gives synchronous code one value for all attempts', async () => {
        let runs = 0;
        const { play } = scripted(async ctx => {
            const ids = [ctx.onceSync('id', () => ++runs), ctx.onceSync('id', () => ++runs)];
            return `${ids.join()} ${await ask(ctx, 'a')} ${await ask(ctx, 'b')}`;
        });
        expect(replyText(await play({ a: 'x' }, { b: 'y' }))).toBe('1,2 x y');
    });

    it('refuses a promise', async () => {
        const { call } = scripted(ctx => {
            ctx.onceSync('p', () => Promise.resolve(1));
            return Promise.resolve('recorded');
        });
        expect((await call()).result).toMatchObject({
            isError: true,
            content: [{ text: expect.stringContaining('use once') as string }]
        });
    });
});

describe.each(WIRES)('over %s', wire => {
    async function result(handler: (ctx: NeedContext) => Promise<string>, over: Wire = wire): Promise<string> {
        const { attach, resumable } = createMrtr({ key: KEY });
        const build = (): McpServer => {
            const server = attach(new McpServer({ name: 'once', version: '1.0.0' }));
            server.registerTool(
                't',
                {},
                resumable(async ctx => ({ content: [{ type: 'text', text: await handler(ctx) }] }))
            );
            return server;
        };
        const { client, close } = await connect(build, over);
        const text = textOf(await client.callTool({ name: 't' }));
        await close();
        return text;
    }

    it('once gives the JSON copy', async () => {
        const handler = async (ctx: NeedContext) =>
            `${typeof (await ctx.once('at', () => new Date(0)))} ${typeof ctx.onceSync('at', () => new Date(0))}`;
        expect(await result(handler)).toBe('string string');
    });

    it('refuses to ask inside once, in both forms of need', async () => {
        const question = elicit({ message: 'a', requestedSchema: FORM });
        for (const asking of [(ctx: NeedContext) => ctx.need('a', question), () => need('a', question)]) {
            const text = await result(ctx => ctx.once('effect', async () => (await asking(ctx)).action));
            expect(text).toContain("'a' was asked inside ctx.once");
        }
    });
});
