import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';

import { builtCli, repoRoot } from '../../repo.js';
import { ALL, answerAs, textOf } from '../clients.js';
import type { Scene } from '../clients.js';

const FIXTURES = join(repoRoot, 'fixtures/bridge');
const EVERYTHING = join(repoRoot, 'node_modules/everything-2026-08-31/dist/index.js');

const REGISTER = ['--import', join(builtCli(), '../../shim/register/index.js')];

type Era = 'pinned' | 'auto' | 'legacy';

const closing: (() => unknown)[] = [];
afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
});

function newClient(era: Era, { capabilities = ALL, roots }: Pick<Scene, 'capabilities' | 'roots'> = {}) {
    const mode = era === 'pinned' ? { pin: '2026-07-28' as const } : ('auto' as const);
    const client = new Client(
        { name: 'test-client', version: '1.0.0' },
        { capabilities, ...(era !== 'legacy' && { versionNegotiation: { mode } }) }
    );
    const elicit = () => ({ action: 'accept' as const, content: { confirm: true, name: 'Ann' } });
    return { client, asked: answerAs(client, { capabilities, elicit, ...(roots && { roots }) }) };
}

async function overStdio(script: string, era: Era, capabilities?: ClientCapabilities) {
    const { client, asked } = newClient(era, capabilities && { capabilities });
    const args = [...REGISTER, script];
    const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore', cwd: repoRoot });
    await client.connect(transport);
    closing.push(() => client.close());
    return { client, asked };
}

describe.each(['pinned', 'auto', 'legacy'] as const)('a script over stdio, and a client that is %s,', era => {
    const revision = era === 'legacy' ? '2025-11-25' : '2026-07-28';

    it('as an ES module: asks of all kinds reach the client, one after the other and together', async () => {
        const { client, asked } = await overStdio(join(FIXTURES, 'shop-v1-stdio.mjs'), era);
        expect(client.getNegotiatedProtocolVersion()).toBe(revision);
        expect(textOf(await client.callTool({ name: 'chain', arguments: { n: 3 } }))).toBe('accept accept accept');
        expect(textOf(await client.callTool({ name: 'together' }))).toBe('accept sampled A word? 1');
        expect(asked.toSorted()).toEqual(['A word?', 'All of it?', 'Step 1?', 'Step 2?', 'Step 3?', 'roots']);
    });

    it('as CommonJS', async () => {
        const { client, asked } = await overStdio(join(FIXTURES, 'desk-stdio.cjs'), era);
        expect(textOf(await client.callTool({ name: 'close' }))).toBe('accept');
        expect(asked).toEqual(['Close the desk?']);
    });

    it('as a published package that registers its tools after the handshake', async () => {
        const { client, asked } = await overStdio(EVERYTHING, era);
        const result = await client.callTool({ name: 'trigger-elicitation-request', arguments: {} });
        expect(textOf(result)).toContain('- Name: Ann');
        expect(textOf(await client.callTool({ name: 'get-roots-list', arguments: {} }))).toContain('file:///home');
        expect(asked).toContain('Please provide inputs for the following fields:');
    });
});

describe('a script', () => {
    it('tells calls apart that ask at the same time', async () => {
        const { client } = await overStdio(join(FIXTURES, 'shop-v1-stdio.mjs'), 'pinned');
        client.setRequestHandler('elicitation/create', async ({ params }) => {
            await delay(Math.random() * 50);
            return { action: 'accept', content: { confirm: true, to: params.message } };
        });
        const orders = Array.from({ length: 40 }, (_, index) => `order-${index}`);
        const results = await Promise.all(
            orders.map(order => client.callTool({ name: 'lookup', arguments: { order } }))
        );
        expect(results.map(textOf)).toEqual(orders.map(order => `accept {"confirm":true,"to":"Show ${order}?"}`));
    });

    it('is not asked what its client cannot answer', async () => {
        const { client } = await overStdio(join(FIXTURES, 'desk-stdio.cjs'), 'pinned', { sampling: {} });
        await expect(client.callTool({ name: 'close' })).rejects.toMatchObject({ code: -32_021 });
    });
});

/** What a process writes to stdout when it is given these lines and then nothing more. */
async function outputOf(args: readonly string[], lines: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], cwd: repoRoot });
    child.stdin.end(lines.map(line => `${line}\n`).join(''));
    return text(child.stdout);
}

describe('nothing changes', () => {
    it('for a client that begins as those of 2025 do, byte for byte', async () => {
        const script = join(FIXTURES, 'desk-stdio.cjs');
        const hello = {
            protocolVersion: '2025-06-18',
            capabilities: {},
            clientInfo: { name: 'old', version: '1' }
        };
        const lines = [
            { jsonrpc: '2.0', id: 0, method: 'initialize', params: hello },
            { jsonrpc: '2.0', method: 'notifications/initialized' },
            { jsonrpc: '2.0', id: 'two', method: 'tools/list' },
            { jsonrpc: '2.0', id: 3, method: 'server/discover' }
        ].map(message => JSON.stringify(message));
        const [plain, registered] = await Promise.all([
            outputOf([script], lines),
            outputOf([...REGISTER, script], lines)
        ]);
        expect(plain.split('\n')).toHaveLength(4);
        expect(registered).toBe(plain);
    });

    it.each(['words\n{"jsonrpc"', '{"half": ', '\n\n', ''])(
        'for a script that reads something else: %j',
        async input => {
            const script = ['-e', 'process.stdin.on("data", chunk => process.stdout.write(chunk))'];
            expect(await outputOf([...REGISTER, ...script], input === '' ? [] : [input])).toBe(
                input === '' ? '' : `${input}\n`
            );
        }
    );

    it('for a script that does not read at all: it ends by itself', async () => {
        expect(await outputOf([...REGISTER, '-e', 'console.log("done")'], [])).toBe('done\n');
    });
});

it('a mode that is misspelt is said before the script starts', async () => {
    const child = spawn(process.execPath, [...REGISTER, '-e', 'console.log("started")'], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, MCP_MRTR_MODE: 'parked' }
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(out).toBe('');
    expect(err).toContain("MCP_MRTR_MODE is 'parked', and not park, auto or replay");
});

/** A script that tells its parent the port at which it serves. */
async function startHttp(script: string): Promise<URL> {
    const child: ChildProcess = fork(join(FIXTURES, script), [], { execArgv: REGISTER, silent: true });
    closing.push(async () => {
        child.disconnect();
        if (child.exitCode === null) await once(child, 'exit');
    });
    const [port] = (await once(child, 'message')) as [number];
    return new URL(`http://127.0.0.1:${port}/mcp`);
}

it('a script that speaks 2026-07-28 over HTTP itself is left alone', async () => {
    const url = await startHttp('native-http.mjs');
    const { client, asked } = newClient('pinned');
    await client.connect(new StreamableHTTPClientTransport(url));
    closing.push(() => client.close());
    expect(textOf(await client.callTool({ name: 'sell' }))).toBe('sold: true');
    expect(asked).toEqual(['Sell?']);
});

describe('a script over Streamable HTTP, whose route wants sessions and a token,', () => {
    const startDesk = (): Promise<URL> => startHttp('desk-http.cjs');

    async function overHttp(url: URL, user: string, era: Era, scene: Pick<Scene, 'capabilities' | 'roots'> = {}) {
        const { client, asked } = newClient(era, scene);
        const headers = { authorization: `Bearer ${user}` };
        await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
        closing.push(() => client.close());
        const note = async (words: string) =>
            textOf(await client.callTool({ name: 'note', arguments: { text: words } }));
        return { client, asked, note };
    }

    it.each(['pinned', 'legacy'] as const)('asks its %s clients, and keeps them apart', async era => {
        const url = await startDesk();
        const [ann, bob] = await Promise.all([overHttp(url, 'ann', era), overHttp(url, 'bob', era)]);
        expect(await Promise.all([ann.note('one'), bob.note('two')])).toEqual([
            'accept: ann has one',
            'accept: bob has two'
        ]);
        expect(await ann.note('three')).toBe('accept: ann has one, three');
        const questions = ann.asked.filter(question => question !== 'roots');
        expect(questions).toEqual(["Keep 'one' for ann?", "Keep 'three' for ann?"]);
        expect(ann.client.getNegotiatedProtocolVersion()).toBe(era === 'legacy' ? '2025-11-25' : '2026-07-28');
    });

    it('keeps for each the roots that it has, and knows who has none', async () => {
        const url = await startDesk();
        const [ann, bob, cleo] = await Promise.all([
            overHttp(url, 'ann', 'pinned', { roots: ['file:///ann'] }),
            overHttp(url, 'bob', 'pinned', { roots: ['file:///bob'] }),
            overHttp(url, 'cleo', 'pinned', { capabilities: { elicitation: {} } })
        ]);
        for (let again = 0; again < 2; again++) {
            const seen = await Promise.all([ann, bob, cleo].map(({ client }) => client.callTool({ name: 'roots' })));
            expect(seen.map(textOf)).toEqual(['file:///ann', 'file:///bob', 'none']);
        }
        expect(cleo.asked).toEqual([]);
    });

    it('refuses a 2026-07-28 client without a token as it refuses others: with what it needs to sign in', async () => {
        const url = await startDesk();
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };
        const response = await fetch(url, {
            method: 'POST',
            headers: {
                'content-type': 'application/json',
                accept: 'application/json, text/event-stream',
                'mcp-protocol-version': '2026-07-28',
                'mcp-method': 'tools/list'
            },
            body: JSON.stringify(call)
        });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toContain('resource_metadata');
    });
});

const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {}
};
