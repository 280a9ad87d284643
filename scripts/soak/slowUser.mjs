// A user who takes longer than the 60 seconds after which the SDK gives up a request, in front of a server of SDK v1 that
// is served as it is: by the command, in process, and by the preload.
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bridgeHandler } from '../../dist/shim/index.js';
import { buildShop } from '../../fixtures/bridge/shop-v1.mjs';

const path = relative => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const SCRIPT = path('fixtures/bridge/shop-v1-stdio.mjs');

const stdio = args => () => new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });

const handler = bridgeHandler(() => buildShop(), {
    key: 'a key for the soak run, of 32 bytes and more',
    anonymous: 'share'
});
const WAYS = {
    serve: stdio([path('dist/cli/index.js'), 'serve', '--', process.execPath, SCRIPT]),
    register: stdio(['--import', path('dist/shim/register/index.js'), SCRIPT]),
    bridgeHandler: () =>
        new StreamableHTTPClientTransport(new URL('http://soak.test/mcp'), {
            fetch: (url, init) => handler.fetch(new Request(url, init))
        })
};

/** Plays one call by each way. @throws Error if the handler does not get the answer. */
export async function playSlowUser(thinkMs) {
    await Promise.all(Object.entries(WAYS).map(([way, transport]) => play(way, transport(), thinkMs)));
    await handler.close();
}

async function play(way, transport, thinkMs) {
    const client = new Client(
        { name: 'soak', version: '1.0.0' },
        { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } }
    );
    client.setRequestHandler('elicitation/create', async () => {
        await delay(thinkMs);
        return { action: 'accept', content: { confirm: true } };
    });
    await client.connect(transport);
    const call = { name: 'refund', arguments: { order: 'A-17' } };
    const { content, isError } = await client.callTool(call, { timeout: 2 * thinkMs });
    await client.close();
    const [{ text }] = content;
    if (isError || text !== 'accept {"confirm":true}') throw new Error(`${way}: after ${thinkMs} ms it said '${text}'`);
}
