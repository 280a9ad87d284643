// The server of the soak run, in a process of its own with --expose-gc: calls of every kind, for hours. Arguments: how
// long the client may take for one round, in seconds. Tells its parent its port, and its heap when it is asked.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { createMrtr, elicit, elicitUrl, listRoots, sample } from '../../dist/shim/index.js';

const ttlSeconds = Number(process.argv[2]);
const { attach, resumable } = createMrtr({ key: 'a key for the soak run, of 32 bytes and more', ttlSeconds });

const FORM = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
const form = message => elicit({ message, requestedSchema: FORM });
const text = (...said) => ({ content: [{ type: 'text', text: said.join(' ') }] });
const said = ({ action, content }) => content?.answer ?? action;

/** What a call does, by the name of its tool. Each gets its own questions answered, or the run fails. */
const HANDLERS = {
    sequence: async ({ flow, count }, ctx) => {
        const first = await ctx.once('first', async () => {
            await delay(1);
            return flow;
        });
        const answers = [];
        for (let index = 1; index <= count; index++) {
            answers.push(said(await ctx.need('item', form(`Item ${index} of ${flow}?`))));
        }
        return text(first, ...answers);
    },
    together: async ({ flow, count }, ctx) => {
        const items = Array.from({ length: count }, (_, index) => index + 1);
        const answers = await Promise.all(items.map(n => ctx.need(`item-${n}`, form(`Item ${n} of ${flow}?`))));
        return text(flow, ...answers.map(said));
    },
    mixed: async ({ flow }, ctx) => {
        const stamp = ctx.onceSync('stamp', () => Math.random());
        const { roots } = await ctx.need('roots', listRoots());
        const prompt = { role: 'user', content: { type: 'text', text: `Line of ${flow}` } };
        const { content } = await ctx.need('line', sample({ messages: [prompt], maxTokens: 10 }));
        const url = `https://127.0.0.1/${flow}/${stamp}`;
        const { action } = await ctx.need('page', elicitUrl({ message: `Page of ${flow}?`, url }));
        return text(flow, roots.length, content.text, action);
    },
    large: async ({ flow }, ctx) => {
        const block = await ctx.once('block', () => 'x'.repeat(8192));
        return text(flow, block.length, said(await ctx.need('sure', form(`Item 1 of ${flow}?`))));
    },
    failing: async ({ flow }, ctx) => {
        await ctx.need('sure', form(`Item 1 of ${flow}?`));
        throw new Error(`failed ${flow}`);
    },
    locked: async ({ flow }, ctx) => {
        try {
            return text(flow, said(await ctx.need('sure', form(`Item 1 of ${flow}?`))));
        } finally {
            await delay(0);
        }
    },
    nothing: ({ flow }) => text(flow)
};
const OPTIONS = { locked: { onSuspend: 'unwind' }, together: { settleMs: 5 } };
const INPUT = z.object({ flow: z.number(), count: z.number() });

const handler = createMcpHandler(() => {
    const server = attach(new McpServer({ name: 'soak', version: '1.0.0' }));
    for (const [name, run] of Object.entries(HANDLERS)) {
        const replaying = resumable(OPTIONS[name] ?? {}, run);
        server.registerTool(name, { inputSchema: INPUT }, replaying);
        if (name === 'locked') continue;
        server.registerTool(`${name}-parked`, { inputSchema: INPUT }, resumable({ mode: 'park' }, run));
        server.registerTool(
            `${name}-auto`,
            { inputSchema: INPUT, annotations: { readOnlyHint: true } },
            resumable({ mode: 'auto' }, run)
        );
    }
    return server;
});

const answer = toNodeHandler(handler);
const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
process.on('message', async () => {
    for (let tries = 0; tries < 3; tries++) {
        await delay(20);
        globalThis.gc();
    }
    process.send({ heap: process.memoryUsage().heapUsed });
});
