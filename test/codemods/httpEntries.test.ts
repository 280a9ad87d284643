import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commit, migrate } from '../../codemods/index.js';
import { builtCli, repoRoot } from '../repo.js';
import { suiteProject } from '../temporaryProject.js';

const MANIFEST = JSON.stringify({
    name: 'http',
    type: 'module',
    dependencies: { '@modelcontextprotocol/sdk': '^1.20.0', express: '^5.0.0', zod: '^4.2.0' }
});

const TOKEN = 'let me in';

const fixture = (name: string): string => readFileSync(join(repoRoot, 'fixtures/http-entry', name, 'input.js'), 'utf8');

describe('a migrated Express server', () => {
    const folder = suiteProject({
        'package.json': MANIFEST,
        'sessions.js': fixture('sessions'),
        'guarded.js': fixture('guarded'),
        'unread-body.js': fixture('unread-body')
    });
    const processes: ChildProcess[] = [];

    beforeAll(() => {
        builtCli();
        commit(migrate({ cwd: folder, paths: [] }).changes);
        mkdirSync(join(folder, 'node_modules'));
        for (const name of ['@modelcontextprotocol', 'express', 'zod']) {
            symlinkSync(join(repoRoot, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
        }
        symlinkSync(repoRoot, join(folder, 'node_modules/mcp-mrtr'), 'junction');
    }, 120_000);

    afterAll(() => {
        for (const one of processes) one.kill('SIGKILL');
    });

    /** Starts a script that prints its port. */
    async function start(script: string): Promise<URL> {
        const server = spawn(process.execPath, [script], {
            cwd: folder,
            stdio: ['ignore', 'pipe', 'inherit'],
            env: { ...process.env, TOKEN }
        });
        processes.push(server);
        const [port] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
        return new URL(`http://127.0.0.1:${port}/mcp`);
    }

    async function rename(url: URL, pinned: boolean, token?: string): Promise<{ asked: string[]; content: unknown }> {
        const client = new Client(
            { name: 'test', version: '1.0.0' },
            {
                capabilities: { elicitation: { form: {} } },
                ...(pinned && { versionNegotiation: { mode: { pin: '2026-07-28' } } })
            }
        );
        const asked: string[] = [];
        client.setRequestHandler('elicitation/create', ({ params }) => {
            asked.push(params.message);
            return { action: 'accept', content: {} };
        });
        await client.connect(
            new StreamableHTTPClientTransport(
                url,
                token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } }
            )
        );
        try {
            const { content } = await client.callTool({ name: 'rename', arguments: { name: 'b' } });
            return { asked, content };
        } finally {
            await client.close();
        }
    }

    const ANSWERED = { asked: ['Rename to b?'], content: [{ type: 'text', text: 'accept' }] };

    it('asks 2026-07-28 clients in rounds, and 2025-era clients through their sessions', async () => {
        const url = await start('sessions.js');
        expect(await rename(url, true)).toEqual(ANSWERED);
        expect(await rename(url, false)).toEqual(ANSWERED);
    }, 120_000);

    it('looks at who calls in both eras', async () => {
        const url = await start('guarded.js');
        for (const pinned of [true, false]) {
            expect(await rename(url, pinned, TOKEN)).toEqual(ANSWERED);
            await expect(rename(url, pinned, 'another')).rejects.toMatchObject({ status: 401 });
        }
    }, 120_000);

    it('asks 2026-07-28 clients where no body was read before', async () => {
        const url = await start('unread-body.js');
        expect(await rename(url, true)).toEqual(ANSWERED);
    }, 120_000);
});
