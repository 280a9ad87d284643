import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

import { McpServer } from '@modelcontextprotocol/server';

import { createMrtr, elicit } from '../../shim/index.js';
import type { NeedContext, ResumableOptions } from '../../shim/index.js';
import { connect, textOf } from './clients.js';
import type { Scene, Wire } from './clients.js';

/** Asks for one line of text; the key is the message. */
async function ask(ctx: NeedContext, message: string): Promise<string> {
    const { action, content } = await ctx.need(
        message,
        elicit({ message, requestedSchema: { type: 'object', properties: { answer: { type: 'string' } } } })
    );
    return action === 'accept' ? String(content?.['answer']) : action;
}

export interface Shape {
    readonly name: string;
    readonly run: (ctx: NeedContext, log: string[]) => Promise<string>;
    readonly scene?: Scene;
    readonly settleMs?: number;
    /** It ends with its ask still open. The result wins, so nobody is asked on 2026-07-28. */
    readonly leavesAskOpen?: boolean;
    /** Its question has another text in every run. */
    readonly anyQuestion?: boolean;
}

/** The ordinary shapes on which throwing a sentinel through user code goes wrong, and those on which it does not. */
export const SHAPES: readonly Shape[] = [
    { name: 'two in sequence', run: async ctx => `${await ask(ctx, 'a')} ${await ask(ctx, 'b')}` },
    {
        name: 'catch that returns an error',
        run: async (ctx, log) => {
            try {
                return await ask(ctx, 'a');
            } catch (error) {
                log.push('caught');
                return `failed: ${String(error)}`;
            }
        }
    },
    {
        name: 'finally around the ask',
        run: async (ctx, log) => {
            try {
                return await ask(ctx, 'a');
            } finally {
                log.push('released');
            }
        }
    },
    { name: 'catch with a default', run: ctx => ask(ctx, 'a').catch(() => 'default') },
    {
        name: 'Promise.all',
        run: async ctx => (await Promise.all([ask(ctx, 'a'), ask(ctx, 'b'), ask(ctx, 'c')])).join()
    },
    {
        name: 'allSettled',
        run: async ctx => JSON.stringify(await Promise.allSettled([ask(ctx, 'a'), ask(ctx, 'b')]))
    },
    {
        name: 'race of two asks',
        run: async ctx => `${await Promise.race([ask(ctx, 'a'), ask(ctx, 'b')])}, then ${await ask(ctx, 'c')}`,
        // The pushed requests are answered side by side, so only one answer may be quick for the eras to agree.
        scene: { elicit: params => delay(params.message === 'b' ? 60 : 0).then(() => accepted(params.message)) }
    },
    {
        name: 'any of two asks',
        run: ctx => Promise.any([ask(ctx, 'a'), ask(ctx, 'b')]).then(first => first.length.toString())
    },
    {
        name: 'retry wrapper',
        run: async (ctx, log) => {
            for (let tries = 1; ; tries++) {
                try {
                    return await ask(ctx, 'a');
                } catch (error) {
                    log.push('retry');
                    if (tries === 3) throw error;
                }
            }
        }
    },
    {
        name: 'loop until the answer is valid',
        run: async ctx => {
            for (let tries = 1; ; tries++) {
                const answer = await ask(ctx, 'a number');
                if (/^\d+$/.test(answer)) return `${answer} after ${tries}`;
            }
        },
        scene: (() => {
            let asked = 0;
            return { elicit: () => accepted(asked++ % 3 === 2 ? '42' : 'no number') };
        })()
    },
    {
        name: 'ask beside I/O',
        run: async ctx => (await Promise.all([ask(ctx, 'a'), delay(5).then(() => 'io')])).join()
    },
    { name: 'I/O before the ask', run: async ctx => delay(20).then(() => ask(ctx, 'a')) },
    {
        name: 'I/O between asks',
        run: async ctx => `${await ask(ctx, 'a')} ${await delay(20, 'io')} ${await ask(ctx, 'b')}`
    },
    {
        name: 'second ask 10 ms later',
        run: async ctx => (await Promise.all([ask(ctx, 'a'), delay(10).then(() => ask(ctx, 'b'))])).join()
    },
    {
        name: 'second ask 500 microtasks later',
        run: async ctx => {
            const later = async (): Promise<string> => {
                for (let i = 0; i < 500; i++) await Promise.resolve();
                return ask(ctx, 'b');
            };
            return (await Promise.all([ask(ctx, 'a'), later()])).join();
        }
    },
    {
        name: 'second ask 5 macrotasks later',
        run: async ctx => {
            const later = async (): Promise<string> => {
                for (let i = 0; i < 5; i++) await turn();
                return ask(ctx, 'b');
            };
            return (await Promise.all([ask(ctx, 'a'), later()])).join();
        }
    },
    {
        name: 'ask that nobody waits for',
        leavesAskOpen: true,
        run: ctx => {
            void ask(ctx, 'a');
            return Promise.resolve('done');
        }
    },
    {
        name: 'throws after the ask',
        run: async ctx => {
            throw new Error(`after ${await ask(ctx, 'a')}`);
        }
    },
    {
        name: 'throws while an ask is open',
        leavesAskOpen: true,
        run: async ctx => {
            const [answer] = await Promise.all([ask(ctx, 'a'), Promise.reject(new Error('sibling failed'))]);
            return answer;
        }
    },
    {
        name: 'async generator',
        run: async ctx => {
            async function* answers(): AsyncGenerator<string> {
                yield await ask(ctx, 'a');
                yield await ask(ctx, 'b');
            }
            const all: string[] = [];
            for await (const answer of answers()) all.push(answer);
            return all.join();
        }
    }
];

function accepted(answer: string): { action: 'accept'; content: { answer: string } } {
    return { action: 'accept', content: { answer } };
}

export interface Played {
    readonly text: string;
    readonly isError: boolean;
    readonly asked: string[];
    readonly log: string[];
    /** How often the handler has been started. */
    readonly runs: number;
}

/** Plays a shape from its call to its result, between a real client and a real server. */
export async function play(shape: Shape, wire: Wire, options: ResumableOptions = {}): Promise<Played> {
    const { attach, resumable } = createMrtr({ key: 'a key for tests, long enough for AES' });
    const log: string[] = [];
    let runs = 0;
    const build = (): McpServer => {
        const server = attach(new McpServer({ name: 'shapes', version: '1.0.0' }));
        server.registerTool(
            'shape',
            {},
            resumable({ settleMs: shape.settleMs ?? 0, ...options }, async ctx => {
                runs++;
                return { content: [{ type: 'text', text: await shape.run(ctx, log) }] };
            })
        );
        return server;
    };
    const { client, asked, close } = await connect(build, wire, {
        elicit: ({ message }) => accepted(message),
        ...shape.scene
    });
    const result = await client.callTool({ name: 'shape' });
    await close();
    return { text: textOf(result), isError: result.isError === true, asked, log, runs };
}
