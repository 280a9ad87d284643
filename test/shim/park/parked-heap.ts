/**
 * Parks calls on a server with twenty tools, and prints what they hold: run with `--expose-gc`, for a child process has
 * a heap of its own.
 */
import { setTimeout as delay } from 'node:timers/promises';

import { McpServer } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';

import { createMrtr } from '../../../shim/index.js';
import type { NeedContext } from '../../../shim/index.js';
import { frameClient } from '../frames.js';
import { answers, ask, KEY, replyText } from '../scripted-server.js';

/** Printed as JSON. */
export interface ParkedHeap {
    readonly servers: number;
    readonly collected: number;
    readonly bytesPerFrame: number;
    /** Result of one of the frames, which goes on after all that. */
    readonly text: string | undefined;
}

const PARKED = Number(process.argv[2] ?? 2000);
const TOOLS = 20;

let servers = 0;
let collected = 0;
const registry = new FinalizationRegistry(() => collected++);

const { attach, resumable } = createMrtr({ key: KEY, maxParked: PARKED + 100 });

/** Apart from the factory: a function that is made beside the server would hold it by itself. */
async function handler(_args: object, ctx: NeedContext): Promise<CallToolResult> {
    const answer = await ask(ctx, 'a');
    return { content: [{ type: 'text', text: `got ${answer}` }] };
}

function build(): McpServer {
    const server = attach(new McpServer({ name: 'heap', version: '1.0.0' }));
    servers++;
    registry.register(server, undefined);
    for (let tool = 0; tool < TOOLS; tool++) {
        const inputSchema = z.object({ order: z.string().optional(), amount: z.number().optional() });
        server.registerTool(
            `tool-${tool}`,
            { description: 'A tool', inputSchema },
            resumable({ mode: 'park' }, handler)
        );
    }
    return server;
}

const send = frameClient(build);
const call = { name: 'tool-7', arguments: {} };

async function settledHeap(): Promise<number> {
    for (let tries = 0; tries < 5; tries++) {
        await delay(20);
        (globalThis as { gc?: () => void }).gc?.();
    }
    return process.memoryUsage().heapUsed;
}

for (let warm = 0; warm < 50; warm++) await send({ params: call });
const before = await settledHeap();
let last: string | undefined;
for (let parked = 0; parked < PARKED; parked++) last = (await send({ params: call })).result?.requestState;
const after = await settledHeap();
const counted = collected;
const reply = await send({ params: call, requestState: last, inputResponses: answers({ a: 'yes' }) });
const report: ParkedHeap = {
    servers,
    collected: counted,
    bytesPerFrame: Math.round((after - before) / PARKED),
    text: replyText(reply)
};
process.stdout.write(JSON.stringify(report));
