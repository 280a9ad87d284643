import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, InMemoryTransport, inputRequired, McpServer } from '@modelcontextprotocol/server';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';

import { createMrtr, elicit, elicitUrl, listRoots, sample } from '../../shim/index.js';
import type { Ask, NeedContext } from '../../shim/index.js';
import { ALL, connect, textOf } from './clients.js';
import { ask, FORM, KEY } from './scripted-server.js';

function serverWith(handler: (ctx: NeedContext) => Promise<string>): McpServer {
    const { attach, resumable } = createMrtr({ key: KEY, ttlSeconds: 120 });
    const server = attach(new McpServer({ name: 'push', version: '1.0.0' }));
    server.registerTool(
        't',
        {},
        resumable(async ctx => ({ content: [{ type: 'text', text: await handler(ctx) }] }))
    );
    return server;
}

/** A 2025-era client, of which the test sees and answers every message that the server sends. */
async function rawClient(server: McpServer) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const sent: (JSONRPCMessage & {
        id?: number;
        method?: string;
        params?: Record<string, unknown>;
        result?: unknown;
    })[] = [];
    const related: unknown[] = [];
    const send = far.send.bind(far);
    far.send = (message, options) => {
        if ('method' in message) related.push(options?.relatedRequestId);
        return send(message, options);
    };
    near.onmessage = message => void sent.push(message as never);
    await server.connect(far);
    await near.start();
    const initialize = { protocolVersion: '2025-11-25', capabilities: ALL, clientInfo: { name: 'raw', version: '1' } };
    await near.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize } as never);
    await near.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    sent.length = 0;
    const call = (id: number) =>
        near.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't', arguments: {} } });
    return { sent, related, call, send: (message: unknown) => near.send(message as never) };
}

describe('on a 2025-era connection', () => {
    it('a question belongs to the call that asks it', async () => {
        const { sent, related, call } = await rawClient(serverWith(ctx => ask(ctx, 'a')));
        await call(41);
        await vi.waitFor(() => expect(sent).toHaveLength(1));
        expect(sent[0]).toMatchObject({ method: 'elicitation/create', params: { mode: 'form', message: 'a?' } });
        expect(related).toEqual([41]);
    });

    it('a user may think for as long as the TTL, and no longer', async () => {
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
        try {
            let failure = '';
            const server = serverWith(ctx =>
                ask(ctx, 'a').catch((error: unknown) => (failure = (error as Error).message))
            );
            const { sent, call } = await rawClient(server);
            await call(1);
            await vi.waitFor(() => expect(sent).toHaveLength(1));
            await vi.advanceTimersByTimeAsync(119_000);
            expect(failure).toBe('');
            await vi.advanceTimersByTimeAsync(2000);
            expect(failure).toMatch(/timed out/i);
        } finally {
            vi.useRealTimers();
        }
    });

    it('a call that is cancelled takes its question back', async () => {
        const ended: string[] = [];
        const server = serverWith(async ctx => {
            try {
                return await ask(ctx, 'a');
            } catch (error) {
                ended.push((error as Error).message);
                throw error;
            }
        });
        const { sent, call, send } = await rawClient(server);
        await call(7);
        await vi.waitFor(() => expect(sent).toHaveLength(1));
        await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'enough' } });
        await vi.waitFor(() => expect(ended).toEqual([expect.stringContaining('enough')]));
        expect(sent.at(-1)).toMatchObject({ method: 'notifications/cancelled' });
    });

    it('a URL elicitation has an id: the one of its author, else one of ours', async () => {
        const server = serverWith(async ctx => {
            const own = elicit({ mode: 'url', message: 'Sign in', url: 'https://a.test', elicitationId: 'mine' });
            const plain = elicitUrl({ message: 'Sign in', url: 'https://b.test' });
            return (await Promise.all([ctx.need('own', own), ctx.need('plain', plain)]))
                .map(({ action }) => action)
                .join();
        });
        const { sent, call, send } = await rawClient(server);
        await call(1);
        await vi.waitFor(() => expect(sent).toHaveLength(2));
        expect(sent[0]?.params).toEqual({
            mode: 'url',
            message: 'Sign in',
            url: 'https://a.test',
            elicitationId: 'mine'
        });
        expect(sent[1]?.params).toMatchObject({ mode: 'url', elicitationId: expect.stringMatching(/.+/) as string });
        for (const { id } of [...sent]) await send({ jsonrpc: '2.0', id, result: { action: 'decline' } });
        await vi.waitFor(() => expect(textOf(sent.at(-1)?.result)).toBe('decline,decline'));
    });

    it('accepted content is read by the schema that asked for it', async () => {
        const requestedSchema = z.object({ count: z.number().transform(count => count * 2) });
        const server = serverWith(async ctx =>
            JSON.stringify(await ctx.need('n', elicit({ message: 'n', requestedSchema })))
        );
        const { client, close } = await connect(() => server, 'legacy', {
            elicit: () => ({ action: 'accept', content: { count: 4 } })
        });
        expect(JSON.parse(textOf(await client.callTool({ name: 't' })))).toEqual({
            action: 'accept',
            content: { count: 8 }
        });
        await close();
    });
});

describe('over HTTP without a session', () => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }];

    async function statelessly(build: () => McpServer): Promise<string> {
        const handler = createMcpHandler(build);
        const client = new Client({ name: 'old', version: '1.0.0' }, { capabilities: ALL });
        const transport = new StreamableHTTPClientTransport(new URL('http://server.test/mcp'), {
            fetch: (url, init) => handler.fetch(new Request(url, init))
        });
        await client.connect(transport);
        const text = textOf(await client.callTool({ name: 't' }));
        await client.close();
        await handler.close();
        return text;
    }

    it.each([
        ['elicitation/create', elicit({ message: 'a', requestedSchema: FORM })],
        ['sampling/createMessage', sample({ messages, maxTokens: 10 })],
        ['roots/list', listRoots()]
    ] as [string, Ask<unknown>][])('%s is refused at once, in the words of the SDK', async (_, question) => {
        const started = Date.now();
        const refused = await statelessly(() =>
            serverWith(async ctx => JSON.stringify(await ctx.need('it', question)))
        );
        expect(Date.now() - started).toBeLessThan(5000);
        const bySdk = await statelessly(() => {
            const server = new McpServer({ name: 'sdk', version: '1.0.0' });
            const { method, params } = question;
            server.registerTool('t', {}, () => inputRequired({ inputRequests: { it: { method, params } as never } }));
            return server;
        });
        expect(refused).toBe(bySdk);
    });

    it('what asks nothing is served', async () => {
        expect(await statelessly(() => serverWith(() => Promise.resolve('fine')))).toBe('fine');
    });
});
