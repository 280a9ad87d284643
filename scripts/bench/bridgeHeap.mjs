// A process of its own, with --expose-gc: leaves calls waiting for their client, and prints the bytes of heap that each
// of them holds as JSON: `sdk` in a bare server of SDK v1, `traced` in the same when its calls run in an async context of
// their own, as it takes to know which of them asks, and `bridge` behind bridgeHandler. Argument: how many.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { bridgeHandler } from '../../dist/shim/index.js';
import { caller } from './client.mjs';

const TOOLS = 20;
const FORM = { type: 'object', properties: { answer: { type: 'string' } } };
const CALL = { name: 'tool-7', arguments: { order: 'A-17' } };
const WARM_UP = 200;

const parked = Number(process.argv[2]);

function build() {
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    const confirm = async ({ order }) => {
        const { action } = await server.server.elicitInput({ message: `Refund ${order}?`, requestedSchema: FORM });
        return { content: [{ type: 'text', text: action }] };
    };
    for (let tool = 0; tool < TOOLS; tool++) {
        server.registerTool(`tool-${tool}`, { description: 'A tool', inputSchema: { order: z.string() } }, confirm);
    }
    return server;
}

/** Calls a server of SDK v1 without anything in between; resolves when it has asked. */
async function bareCaller(run = work => work()) {
    const server = build();
    let asked;
    const transport = {
        start: () => Promise.resolve(),
        close: () => Promise.resolve(),
        send: message => {
            if (message.id !== undefined) asked?.();
            return Promise.resolve();
        }
    };
    await server.connect(transport);
    let id = 0;
    const send = (method, params) =>
        new Promise(resolve => {
            asked = resolve;
            const text = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
            run(() => transport.onmessage(JSON.parse(text)));
        });
    await send('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: { elicitation: { form: {} } },
        clientInfo: { name: 'bench', version: '1.0.0' }
    });
    transport.onmessage({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return () => send('tools/call', CALL);
}

function bridgeCaller() {
    const handler = bridgeHandler(build, {
        key: 'a key for the bench, of 32 bytes and more',
        mode: 'park',
        anonymous: 'share',
        settleMs: 0,
        maxParked: parked * 2,
        maxParkedPerPrincipal: parked * 2
    });
    const send = caller(handler);
    return async () => {
        const { result } = await send('tools/call', CALL);
        if (result?.resultType !== 'input_required') throw new Error('The call does not wait for its client');
    };
}

async function settledHeap() {
    for (let tries = 0; tries < 5; tries++) {
        await delay(20);
        globalThis.gc();
    }
    return process.memoryUsage().heapUsed;
}

async function heldBy(call) {
    for (let warm = 0; warm < WARM_UP; warm++) await call();
    const before = await settledHeap();
    for (let count = 0; count < parked; count++) await call();
    return Math.round(((await settledHeap()) - before) / parked);
}

const sdk = await heldBy(await bareCaller());
const calls = new AsyncLocalStorage();
const traced = await heldBy(await bareCaller(work => calls.run({}, work)));
calls.disable();
console.log(JSON.stringify({ sdk, traced, bridge: await heldBy(bridgeCaller()) }));
// The bare servers still wait for their clients to answer.
process.exit();
