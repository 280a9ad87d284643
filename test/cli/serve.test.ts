import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';

import { builtCli, repoRoot } from '../repo.js';
import { serve } from '../shim/bridge/bridged.js';
import type { BridgedScene } from '../shim/bridge/bridged.js';
import { textOf } from '../shim/clients.js';

const fixture = (name: string): string => join(repoRoot, 'fixtures/bridge', name);

type Served = Awaited<ReturnType<typeof serve>>;

const call = async ({ client }: Served, name: string, args: Record<string, unknown> = {}): Promise<string> =>
    textOf(await client.callTool({ name, arguments: args }, { timeout: 60_000 }));

const rude = (scene: BridgedScene = {}, flags: string[] = [], manner: string[] = []): Promise<Served> =>
    serve(['node', fixture('rude.mjs'), ...manner], scene, {}, flags);

/** Whether a process runs. A child that has ended and was waited for does not. */
function runs(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
        return false;
    }
}

describe('mcp-mrtr serve with a server in another language', () => {
    it('asks for forms, samplings and roots', async () => {
        const library = await serve(['python3', fixture('library.py')], {
            elicit: () => ({ action: 'accept', content: { days: 14 } }),
            roots: ['file:///fiction', 'file:///poems']
        });
        expect((await library.client.listTools()).tools.map(({ name }) => name)).toContain('lend');
        expect(await call(library, 'lend', { book: 'Emma' })).toBe('accept 14');
        expect(await call(library, 'blurb', { book: 'Emma' })).toBe('sampled A blurb for Emma');
        expect(await call(library, 'folders')).toBe('file:///fiction file:///poems');
        expect(await call(library, 'shelves')).toBe('file:///fiction file:///poems');
    });

    it('shows it the roots that its client has when it calls', async () => {
        const roots = ['file:///one'];
        const library = await serve(['python3', fixture('library.py')], { roots });
        expect(await call(library, 'shelves')).toBe('file:///one');
        roots[0] = 'file:///two';
        expect(await call(library, 'shelves')).toBe('file:///two');
    });

    it('serves calls at the same time by processes of their own, and never mixes them up', async () => {
        const days: Record<string, number> = { A: 1, B: 2, C: 3, D: 4 };
        const library = await serve(
            ['python3', fixture('library.py')],
            {
                capabilities: { elicitation: { form: {} } },
                elicit: ({ message }) => ({
                    action: 'accept',
                    content: { days: days[message.split(' ')[1] ?? ''] ?? 0 }
                })
            },
            {},
            ['--pool', '3']
        );
        const books = Object.keys(days);
        const answers = await Promise.all(books.map(book => call(library, 'lend', { book })));
        expect(answers).toEqual(['accept 1', 'accept 2', 'accept 3', 'accept 4']);
    });

    it('is told that its client cannot be asked', async () => {
        const library = await serve(['python3', fixture('library.py')], { capabilities: {} });
        await expect(call(library, 'lend', { book: 'Emma' })).rejects.toMatchObject({ code: -32021 });
        expect(await call(library, 'shelves')).toBe('none');
    });
});

describe('mcp-mrtr serve with a server that misbehaves', () => {
    it('passes over what is no message, and over answers to nothing', async () => {
        const served = await rude();
        expect(await call(served, 'garbage')).toBe('after garbage');
        expect(await call(served, 'stray')).toBe('after strays');
        expect(await call(served, 'twice')).toBe('first');
        expect(await call(served, 'plain')).toBe('plain');
        expect(served.stderr()).toContain('no message: Welcome to the rude server!');
    });

    it('fails the call of a server that ends in the middle of a line, and starts it again', async () => {
        const served = await rude();
        await expect(call(served, 'half')).rejects.toMatchObject({ code: -32603, data: { reason: 'ended' } });
        expect(await call(served, 'plain')).toBe('plain');
        expect(served.stderr()).toContain('exited with code 4');
    });

    it('fails the calls of a server that is killed, those too that wait for their client', async () => {
        let answer: ((action: 'accept') => void) | undefined;
        const asked = new Promise<void>(resolve => {
            answer = () => resolve();
        });
        let release: (() => void) | undefined;
        const served = await rude({
            elicit: async () => {
                answer?.('accept');
                await new Promise<void>(resolve => (release = resolve));
                return { action: 'accept', content: {} };
            }
        });
        const pid = Number(await call(served, 'pid'));
        const parked = call(served, 'ask');
        await asked;
        process.kill(pid, 'SIGKILL');
        await expect.poll(served.stderr, { timeout: 20_000 }).toContain('was ended by SIGKILL');
        release?.();
        await expect(parked).rejects.toMatchObject({
            code: -32603,
            message: expect.stringContaining('Call again') as string
        });
        expect(Number(await call(served, 'pid'))).not.toBe(pid);
    });

    it('ends a call that is never answered when its client gives up, and serves the next', async () => {
        const served = await rude();
        const controller = new AbortController();
        const silent = served.client.callTool({ name: 'silent' }, { signal: controller.signal });
        setTimeout(() => controller.abort('enough'), 200);
        await expect(silent).rejects.toThrow();
        expect(await call(served, 'plain')).toBe('plain');
    });

    it('passes the turn of a call on that is cancelled while it waits for a server', async () => {
        let decide: (answer: ElicitResult) => void = () => undefined;
        const decision = new Promise<ElicitResult>(resolve => (decide = resolve));
        const scene = { elicit: () => decision, capabilities: { elicitation: {} } };
        const served = await serve(['python3', fixture('library.py')], scene, {}, ['--pool', '1']);
        const lent = call(served, 'lend', { book: 'Emma' });
        await expect.poll(() => served.asked, { timeout: 20_000 }).toHaveLength(1);
        const controller = new AbortController();
        const left = served.client.callTool({ name: 'shelves' }, { signal: controller.signal });
        const next = call(served, 'shelves');
        // Nothing tells from outside that a call waits.
        await new Promise(resolve => setTimeout(resolve, 500));
        controller.abort('enough');
        await expect(left).rejects.toThrow();
        decide({ action: 'accept', content: { days: 3 } });
        expect(await lent).toBe('accept 3');
        expect(await next).toBe('none');
    });

    it('says why a server does not start', async () => {
        const meta = {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {}
        };
        const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: meta } };
        const answerOf = async (...command: string[]): Promise<unknown> => {
            const child = spawn(process.execPath, [builtCli(), 'serve', '--', ...command], {
                stdio: ['pipe', 'pipe', 'ignore']
            });
            child.stdin.write(`${JSON.stringify(discover)}\n`);
            const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
            child.stdin.end();
            expect(await once(child, 'exit')).toEqual([0, null]);
            return JSON.parse(line);
        };
        expect(await answerOf('node', fixture('rude.mjs'), 'dead')).toMatchObject({
            id: 1,
            error: { code: -32603, message: expect.stringContaining('exited with code 3') as string }
        });
        expect(await answerOf(join(repoRoot, 'no-such-command'))).toMatchObject({
            error: { message: expect.stringContaining('ENOENT') as string, data: { reason: 'not_started' } }
        });
    });

    it('lets a call go whose client does not come back', async () => {
        const unanswered = { elicit: () => new Promise<never>(() => undefined), capabilities: { elicitation: {} } };
        const served = await serve(['python3', fixture('library.py')], unanswered, {}, ['--ttl', '1', '--pool', '1']);
        void call(served, 'lend', { book: 'Emma' }).catch(() => undefined);
        await expect.poll(() => served.asked, { timeout: 20_000 }).toEqual(['Lend Emma for how long?']);
        // The only process is taken until the time is over.
        expect(await call(served, 'shelves')).toBe('none');
    });
});

describe('mcp-mrtr serve and its processes', () => {
    it('ends the server with itself, also while a call waits for its client', async () => {
        const served = await rude({ elicit: () => new Promise(() => undefined) });
        const pid = Number(await call(served, 'pid'));
        void call(served, 'ask').catch(() => undefined);
        await expect.poll(() => served.asked, { timeout: 20_000 }).toEqual(['Sure?']);
        await served.client.close();
        await expect.poll(() => runs(pid), { timeout: 20_000 }).toBe(false);
    });

    it('ends when it is told to', async () => {
        const served = await rude();
        const pid = Number(await call(served, 'pid'));
        process.kill(served.transport.pid!, 'SIGTERM');
        await expect.poll(() => runs(pid), { timeout: 20_000 }).toBe(false);
        await expect.poll(() => runs(served.transport.pid ?? 0), { timeout: 20_000 }).toBe(false);
    });

    it.each(['SIGTERM', 'the end of its stdin'])('ends a server that does not want to end, on %s', async how => {
        const served = await rude({}, [], ['stubborn']);
        const pid = Number(await call(served, 'pid'));
        if (how === 'SIGTERM') process.kill(served.transport.pid!, 'SIGTERM');
        else void served.client.close();
        await expect.poll(() => runs(pid), { timeout: 20_000 }).toBe(false);
    });

    it('brings large messages through', async () => {
        const served = await serve(['node', fixture('shop-v1-stdio.mjs')]);
        expect(await call(served, 'blob', { bytes: 2_000_000 })).toHaveLength(2_000_000);
        expect(await call(served, 'refund', { order: 'x'.repeat(1_000_000) })).toBe('accept {"confirm":true}');
    });
});
