import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';

import { freePort } from '../freePort.js';
import { builtCli, repoRoot } from '../repo.js';
import { closeAfter, newClient, serve } from '../shim/bridge/bridged.js';
import type { BridgedScene } from '../shim/bridge/bridged.js';
import { textOf } from '../shim/clients.js';

const SHOP = ['node', join(repoRoot, 'fixtures/bridge/shop-v1-stdio.mjs')];
const EVERYTHING = join(repoRoot, 'node_modules/everything-2026-08-31/dist/index.js');

/** Starts a command and resolves with what the pattern finds on its stderr or stdout. It ends with the test. */
async function start(command: readonly string[], env: Record<string, string>, pattern: RegExp): Promise<string> {
    const [file = '', ...args] = command;
    const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    closeAfter(async () => {
        if (child.exitCode !== null) return;
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
    });
    return new Promise((resolve, reject) => {
        for (const input of [child.stdout, child.stderr]) {
            createInterface({ input }).on('line', line => {
                const [found] = pattern.exec(line) ?? [];
                if (found !== undefined) resolve(found);
            });
        }
        child.once('exit', code => reject(new Error(`${command.join(' ')} ended with ${code}`)));
    });
}

const serveOverHttp = (flags: readonly string[] = [], command: readonly string[] = SHOP): Promise<string> =>
    start([process.execPath, builtCli(), 'serve', '--http', '0', ...flags, '--', ...command], {}, /http:\S+/);

async function connect(url: string, scene: BridgedScene = {}) {
    const { client, asked } = newClient(scene);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    closeAfter(() => client.close());
    const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> =>
        textOf(await client.callTool({ name, arguments: args }));
    return { client, asked, call };
}

describe('mcp-mrtr serve --http', () => {
    it('serves clients of both eras at the same time', async () => {
        const url = await serveOverHttp();
        const [modern, legacy] = [await connect(url), await connect(url, { era: 'legacy' })];
        for (const { call } of [modern, legacy]) {
            expect(await call('refund', { order: 'A1' })).toBe('accept {"confirm":true}');
            expect(await call('together')).toBe('accept sampled A word? 1');
            expect(await call('caption')).toBe('sampled A caption?');
        }
    });

    it('with --isolate keeps callers apart: neither sees the roots of the other, or what it can do', async () => {
        const url = await serveOverHttp(
            ['--isolate'],
            ['node', join(repoRoot, 'fixtures/bridge/desktop-v1-stdio.mjs')]
        );
        const ana = await connect(url, { roots: ['file:///ana'] });
        const ben = await connect(url, { roots: ['file:///ben'], capabilities: { roots: {}, elicitation: {} } });
        expect(await Promise.all([ana.call('roots'), ben.call('roots')])).toEqual(['file:///ana', 'file:///ben']);
        expect(await Promise.all([ana.call('confirm', { what: 'A' }), ben.call('confirm', { what: 'B' })])).toEqual([
            'accept',
            'accept'
        ]);
        const names = async ({ client }: typeof ana): Promise<string[]> =>
            (await client.listTools()).tools.map(({ name }) => name).sort();
        expect(await names(ana)).toEqual(['confirm', 'dream', 'note', 'roots']);
        expect(await names(ben)).toEqual(['confirm', 'note', 'roots']);
        expect(ana.asked).not.toContain('B?');
        expect(ben.asked).not.toContain('A?');
    });

    it('is for this machine only', async () => {
        const url = await serveOverHttp();
        const status = async (headers: Record<string, string>, path = ''): Promise<number> =>
            (await fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' })).status;
        expect(await status({ origin: 'https://evil.test', 'content-type': 'application/json' })).toBe(403);
        expect(await status({ 'content-type': 'application/json' }, '/other')).toBe(404);
        expect(await status({ 'content-type': 'text/plain' })).toBe(415);
    });
});

describe('mcp-mrtr serve --url', () => {
    it('fronts a server over Streamable HTTP, with a session for each call that asks', async () => {
        const port = await freePort();
        const command = [process.execPath, EVERYTHING, 'streamableHttp'];
        await start(command, { PORT: String(port) }, /listening|port/i);
        const { client, asked } = await serve([], { elicit: () => ({ action: 'decline' }) }, {}, [
            '--url',
            `http://127.0.0.1:${port}/mcp`
        ]);
        const call = async (name: string, args: Record<string, unknown>): Promise<string> =>
            textOf(await client.callTool({ name, arguments: args }));
        expect(await call('get-sum', { a: 2, b: 3 })).toContain('5');
        expect(await call('trigger-elicitation-request', {})).toContain('declined');
        const samples = await Promise.all(
            ['one', 'two', 'three'].map(prompt => call('trigger-sampling-request', { prompt, maxTokens: 9 }))
        );
        expect(samples.map(text => /one|two|three/.exec(text)?.[0])).toEqual(['one', 'two', 'three']);
        expect(asked).toHaveLength(4 + asked.filter(question => question === 'roots').length);
    });

    it('says that nothing is there', async () => {
        const port = await freePort();
        await expect(serve([], {}, {}, ['--url', `http://127.0.0.1:${port}/mcp`])).rejects.toThrow();
    });
});
