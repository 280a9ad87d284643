// What it costs to leave a server as it is: an unmodified server of SDK v1 behind bridgeHandler, against the same tool
// written by hand for 2026-07-28; and a Node server behind `mcp-mrtr serve`.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { bridgeHandler } from '../../dist/shim/index.js';
import { connect, connectTo } from './client.mjs';
import { compare } from './compare.mjs';
import { handWritten, TOOL } from './servers.mjs';

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const CASES = [
    { name: 'asks nothing', rounds: 0, target: 1.3 },
    { name: 'one round', rounds: 1, target: 1.6 }
];

const WARM_UP_REQUESTS = 2000;

/** As `overhead` has them: without the settle window, which is no work but a pause. */
export async function bridgeOverhead({ runs, calls }) {
    const rows = [];
    for (const { name, rounds, target } of CASES) {
        const byHand = player(connect(handWritten(rounds), answerTo), rounds);
        const bridged = player(connectTo(bridgeOf(rounds), answerTo), rounds);
        const warmUp = WARM_UP_REQUESTS / (rounds + 1);
        rows.push({ name, target, ...(await compare(byHand, bridged, { runs, calls, warmUp })) });
    }
    return rows;
}

/** The tool of `servers.mjs`, in push style. */
export function bridgeOf(rounds, options = {}) {
    const build = () => {
        const server = new McpServer({ name: 'bench', version: '1.0.0' });
        server.registerTool(TOOL, { inputSchema: { order: z.string() } }, async ({ order }) => {
            const said = [order];
            for (let round = 1; round <= rounds; round++) {
                const { content } = await server.server.elicitInput({
                    message: `question-${round} about ${order}?`,
                    requestedSchema: {
                        type: 'object',
                        properties: { answer: { type: 'string' } },
                        required: ['answer']
                    }
                });
                said.push(content.answer);
            }
            return { content: [{ type: 'text', text: said.join(' ') }] };
        });
        return server;
    };
    return bridgeHandler(build, {
        key: 'a key for the bench, of 32 bytes and more',
        settleMs: 0,
        anonymous: 'share',
        keyFor: ({ params }) => params.message.split(' ')[0],
        ...options
    });
}

/**
 * `mcp-mrtr serve` with one Node child.
 *
 * @returns instant calls per second, one after the other; and how many times longer ten naps of 20 ms at the same time
 * take than one.
 */
export async function serveThroughput() {
    const client = new Client(
        { name: 'bench', version: '1.0.0' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } }
    );
    const shop = join(repository, 'fixtures/bridge/shop-v1-stdio.mjs');
    await client.connect(
        new StdioClientTransport({
            command: process.execPath,
            args: [join(repository, 'dist/cli/index.js'), 'serve', '--', process.execPath, shop],
            stderr: 'ignore'
        })
    );
    const instant = () => client.callTool({ name: 'plain', arguments: { x: 1 } });
    const nap = () => client.callTool({ name: 'nap', arguments: { ms: 20 } });
    try {
        await timed(() => inTurn(200, instant));
        const calls = 500;
        const perSecond = (calls * 1000) / (await timed(() => inTurn(calls, instant)));
        const one = await timed(nap);
        const ten = await timed(() => Promise.all(Array.from({ length: 10 }, nap)));
        return { perSecond, tenNaps: ten / one };
    } finally {
        await client.close();
    }
}

function answerTo(key) {
    return { answer: `the answer to ${key}` };
}

/** A function that plays a whole call, and fails if it did not go as it should. */
function player(call, rounds) {
    const expected = ['A-17', ...Array.from({ length: rounds }, (_, index) => `the answer to question-${index + 1}`)];
    return async () => {
        const results = await call(TOOL, { order: 'A-17' });
        const said = results.at(-1).content[0].text;
        if (results.length !== rounds + 1 || said !== expected.join(' ')) throw new Error(`A call said: ${said}`);
    };
}

async function inTurn(count, call) {
    for (let index = 0; index < count; index++) await call();
}

async function timed(work) {
    const start = performance.now();
    await work();
    return performance.now() - start;
}
