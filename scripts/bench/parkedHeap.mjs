// A process of its own, with --expose-gc: parks calls on a server with twenty tools whose handler does not close over
// it, and prints the bytes of heap that each of them holds as JSON. Argument: how many.
import { setTimeout as delay } from 'node:timers/promises';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { createMrtr, elicit } from '../../dist/shim/index.js';
import { caller } from './client.mjs';

const TOOLS = 20;
const FORM = { type: 'object', properties: { answer: { type: 'string' } } };

const parked = Number(process.argv[2]);
const { attach, resumable } = createMrtr({
    key: 'a key for the bench, of 32 bytes and more',
    maxParked: parked * 2,
    maxParkedPerPrincipal: parked * 2
});

/** Apart from the factory: a function that is made beside the server would hold it by itself. */
async function confirm({ order }, ctx) {
    const { action } = await ctx.need('sure', elicit({ message: `Refund ${order}?`, requestedSchema: FORM }));
    return { content: [{ type: 'text', text: action }] };
}

const send = caller(
    createMcpHandler(
        () => {
            const server = attach(new McpServer({ name: 'bench', version: '1.0.0' }));
            for (let tool = 0; tool < TOOLS; tool++) {
                const config = { description: 'A tool', inputSchema: z.object({ order: z.string() }) };
                server.registerTool(`tool-${tool}`, config, resumable({ mode: 'park' }, confirm));
            }
            return server;
        },
        { legacy: 'reject' }
    )
);

async function settledHeap() {
    for (let tries = 0; tries < 5; tries++) {
        await delay(20);
        globalThis.gc();
    }
    return process.memoryUsage().heapUsed;
}

const call = { name: 'tool-7', arguments: { order: 'A-17' } };
for (let warm = 0; warm < 200; warm++) await send('tools/call', call);
const before = await settledHeap();
for (let count = 0; count < parked; count++) await send('tools/call', call);
console.log(JSON.stringify({ parked: Math.round(((await settledHeap()) - before) / parked) }));
