import { McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { AttachedTooLateError, createMrtr } from '../../shim/index.js';
import { connect, textOf } from './clients.js';
import { frameClient } from './frames.js';
import { ask, askedKeys, KEY } from './scripted-server.js';

const info = { name: 'attached', version: '1.0.0' };
const pong = () => ({ content: [{ type: 'text' as const, text: 'pong' }] });

describe('attach', () => {
    it('returns the server', () => {
        const { attach } = createMrtr({ key: KEY });
        const high = new McpServer(info);
        const low = new Server(info);
        expect(attach(high)).toBe(high);
        expect(attach(low)).toBe(low);
        expect(attach(high)).toBe(high);
    });

    it.each([
        ['a tool', (server: McpServer) => server.registerTool('t', {}, pong)],
        ['a prompt', (server: McpServer) => server.registerPrompt('p', {}, () => ({ messages: [] }))],
        ['a resource', (server: McpServer) => server.registerResource('r', 'a://r', {}, () => ({ contents: [] }))]
    ])('refuses a server that has %s already', (_, register) => {
        const server = new McpServer(info, { capabilities: { prompts: {} } });
        register(server);
        expect(() => createMrtr({ key: KEY }).attach(server)).toThrow(AttachedTooLateError);
        expect(() => createMrtr({ key: KEY }).attach(server.server)).toThrow(AttachedTooLateError);
    });

    it('refuses a low-level server that has a handler already', () => {
        const server = new Server(info, { capabilities: { prompts: {} } });
        server.setRequestHandler('prompts/get', () => ({ messages: [] }));
        expect(() => createMrtr({ key: KEY }).attach(server)).toThrow(AttachedTooLateError);
    });

    it('keeps a handler that replaced one of those which a server installs while it is made', async () => {
        const server = new McpServer(info, { capabilities: { prompts: {} } });
        const { attach, resumable } = createMrtr({ key: KEY });
        server.server.setRequestHandler(
            'prompts/get',
            resumable(async (_request, ctx) => ({ description: await ask(ctx, 'a'), messages: [] }))
        );
        const { client, close } = await connect(() => attach(server), 'stdio', {
            elicit: () => ({ action: 'decline' })
        });
        expect((await client.getPrompt({ name: 'any' })).description).toBe('decline');
        await close();
    });

    it('refuses a server of another instance', () => {
        const server = createMrtr({ key: KEY }).attach(new McpServer(info));
        expect(() => createMrtr({ key: KEY }).attach(server)).toThrow(/another/);
    });

    it.each([
        { tools: {}, prompts: {}, resources: {} },
        { tools: { listChanged: false }, logging: {} }
    ])('takes over what a server installs while it is made: %j', async capabilities => {
        const { attach, resumable } = createMrtr({ key: KEY });
        const build = (): McpServer => {
            const server = attach(new McpServer(info, { capabilities }));
            server.registerTool(
                't',
                {},
                resumable(async ctx => ({ content: [{ type: 'text', text: await ask(ctx, 'a') }] }))
            );
            return server;
        };
        for (const wire of ['http', 'stdio', 'legacy'] as const) {
            const { client, close } = await connect(build, wire, { elicit: () => ({ action: 'decline' }) });
            expect(client.getServerCapabilities()).toMatchObject(capabilities);
            expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['t']);
            expect(textOf(await client.callTool({ name: 't' }))).toBe('decline');
            await close();
        }
    });

    it('keeps the lists of a server that declares and registers nothing', async () => {
        const { attach } = createMrtr({ key: KEY });
        const empty = () => attach(new McpServer(info, { capabilities: { tools: {}, prompts: {}, resources: {} } }));
        const { client, close } = await connect(empty, 'http');
        expect((await client.listTools()).tools).toEqual([]);
        expect((await client.listPrompts()).prompts).toEqual([]);
        expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
        await close();
    });

    it('leaves alone what is not resumable', async () => {
        const { attach } = createMrtr({ key: KEY });
        const seen: unknown[] = [];
        const send = frameClient(() => {
            const server = attach(new McpServer(info));
            server.registerTool('t', { inputSchema: z.object({}) }, (_args, ctx) => {
                seen.push(ctx.mcpReq.requestState(), ctx.mcpReq.inputResponses);
                return pong();
            });
            return server;
        });
        const inputResponses = { a: { action: 'decline' } };
        const { result } = await send({ params: { name: 't' }, requestState: 'theirs', inputResponses });
        expect(result).toMatchObject({ content: [{ text: 'pong' }] });
        expect(seen).toEqual(['theirs', inputResponses]);
    });

    it('sees tools that are registered, changed and removed later', async () => {
        const { attach, resumable } = createMrtr({ key: KEY });
        const server = attach(new McpServer(info));
        const asking = (key: string) =>
            resumable(async (_args: unknown, ctx) => ({
                content: [{ type: 'text' as const, text: await ask(ctx, key) }]
            }));
        const inputSchema = z.object({});
        const tool = server.registerTool('t', { inputSchema }, asking('a'));
        const { client, asked, close } = await connect(() => server, 'stdio');
        await client.callTool({ name: 't' });
        tool.update({ callback: asking('b') });
        await client.callTool({ name: 't' });
        server.registerTool('u', { inputSchema }, asking('c'));
        await client.callTool({ name: 'u' });
        expect(asked).toEqual(['a?', 'b?', 'c?']);
        await close();
    });

    it('wraps handlers of the form with schemas', async () => {
        const { attach, resumable } = createMrtr({ key: KEY });
        const send = frameClient(() => {
            const server = attach(new Server(info, { capabilities: { tools: {} } }));
            const params = z.object({ name: z.string() });
            server.setRequestHandler(
                'tools/call',
                { params },
                resumable(async ({ name }, ctx) => ({
                    content: [{ type: 'text', text: await ask(ctx, name) }]
                }))
            );
            return server;
        });
        expect(askedKeys(await send({ params: { name: 't' } }))).toEqual(['t']);
    });
});

describe('a resumable handler', () => {
    it('says so if its server is not attached', async () => {
        const { resumable } = createMrtr({ key: KEY });
        const build = (): McpServer => {
            const server = new McpServer(info);
            server.registerTool(
                't',
                {},
                resumable(async ctx => ({ content: [{ type: 'text', text: await ask(ctx, 'a') }] }))
            );
            return server;
        };
        const modern = await connect(build, 'http');
        expect(textOf(await modern.client.callTool({ name: 't' }))).toMatch(/not attached.*attach\(new McpServer/s);
        await modern.close();
        const legacy = await connect(build, 'legacy', { elicit: () => ({ action: 'decline' }) });
        expect(textOf(await legacy.client.callTool({ name: 't' }))).toBe('decline');
        await legacy.close();
    });

    it('cannot ask within other requests of 2026-07-28, and says which', async () => {
        const { attach, resumable } = createMrtr({ key: KEY });
        const said: string[] = [];
        const send = frameClient(() => {
            const server = attach(new Server(info, { capabilities: { completions: {} } }));
            server.setRequestHandler(
                'completion/complete',
                resumable(async (_request, ctx) => {
                    said.push(await ask(ctx, 'a').catch((error: unknown) => (error as Error).message));
                    return { completion: { values: [] } };
                })
            );
            return server;
        });
        const ref = { type: 'ref/prompt', name: 'p' };
        const reply = await send({
            method: 'completion/complete',
            params: { ref, argument: { name: 'a', value: '' } }
        });
        expect(reply.error).toBeUndefined();
        expect(said).toEqual([expect.stringMatching(/'a' cannot be asked while serving completion\/complete/)]);
    });

    it('may call another one: they are one attempt', async () => {
        const { attach, resumable } = createMrtr({ key: KEY });
        const inner = resumable(async (args: { key: string }, ctx) => ask(ctx, args.key));
        const build = (): McpServer => {
            const server = attach(new McpServer(info));
            server.registerTool(
                't',
                {},
                resumable(async ctx => ({
                    content: [
                        { type: 'text', text: `${await inner({ key: 'a' }, ctx)} ${await inner({ key: 'b' }, ctx)}` }
                    ]
                }))
            );
            return server;
        };
        const { client, close } = await connect(build, 'http', {
            elicit: ({ message }) => ({ action: message === 'a?' ? 'cancel' : 'decline' })
        });
        expect(textOf(await client.callTool({ name: 't' }))).toBe('cancel decline');
        await close();
    });

    it('survives wrappers that copy the context', async () => {
        const { attach, resumable } = createMrtr({ key: KEY });
        const build = (): McpServer => {
            const server = attach(new McpServer(info));
            const handler = resumable(async ctx => ({
                content: [{ type: 'text' as const, text: await ask(ctx, 'a') }]
            }));
            server.registerTool('t', {}, ctx => handler({ ...ctx, mcpReq: { ...ctx.mcpReq } }));
            return server;
        };
        const { client, close } = await connect(build, 'http', { elicit: () => ({ action: 'decline' }) });
        expect(textOf(await client.callTool({ name: 't' }))).toBe('decline');
        await close();
    });

    it.each([
        { mode: 'hold' },
        { onSuspend: 'rewind' },
        { mode: 'park', onSuspend: 'unwind' },
        { settleMs: -1 },
        { settleMs: NaN }
    ])('does not accept what is not there: %j', options => {
        const { resumable } = createMrtr({ key: KEY });
        expect(() => resumable(options as object, () => 1)).toThrow(/resumable:/);
    });

    it('says what it takes', () => {
        const { resumable } = createMrtr({ key: KEY });
        expect(() => resumable(undefined as never)).toThrow(TypeError);
        expect(() => resumable({}, undefined as never)).toThrow(TypeError);
        expect(() => resumable(() => 1)({} as never)).toThrow(/without a context/);
    });
});
