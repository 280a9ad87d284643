import { McpServer } from '@modelcontextprotocol/server';
import type { ClientCapabilities } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { clientCapabilities, createMrtr, elicit, elicitUrl, listRoots, sample } from '../../shim/index.js';
import type { Ask, NeedContext } from '../../shim/index.js';
import { connect, textOf } from './clients.js';
import type { Wire } from './clients.js';
import { frameClient } from './frames.js';
import { ask, askedKeys, FORM, KEY, replyText, scripted } from './scripted-server.js';

const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }];
const QUESTIONS = {
    form: elicit({ message: 'Go on?', requestedSchema: FORM }),
    url: elicitUrl({ message: 'Sign in', url: 'https://a.test' }),
    sampling: sample({ messages, maxTokens: 10 }),
    tools: sample({ messages, maxTokens: 10, tools: [] }),
    choice: sample({ messages, maxTokens: 10, toolChoice: { mode: 'auto' } }),
    roots: listRoots()
} satisfies Record<string, Ask<unknown>>;

type Kind = keyof typeof QUESTIONS;

async function caught(ctx: NeedContext, kind: Kind): Promise<string> {
    try {
        const question: Ask<unknown> = QUESTIONS[kind];
        await ctx.need('it', question);
        return 'answered';
    } catch (error) {
        return `${(error as { code?: string }).code} ${(error as Error).name}: ${(error as Error).message}`;
    }
}

/** What the push API says to a client that declared these capabilities, from the SDK itself. */
async function pushed(kind: 'form' | 'url' | 'tools' | 'choice', capabilities: ClientCapabilities): Promise<string> {
    const server = new McpServer({ name: 'push', version: '1.0.0' });
    server.registerTool('push', {}, async ctx => {
        const { params } = QUESTIONS[kind];
        const push = kind === 'form' || kind === 'url' ? ctx.mcpReq.elicitInput : ctx.mcpReq.requestSampling;
        const error = await push(params as never).catch((thrown: unknown) => thrown as Error & { code: string });
        return {
            content: [
                {
                    type: 'text',
                    text: `${(error as { code: string }).code} ${(error as Error).name}: ${(error as Error).message}`
                }
            ]
        };
    });
    const { client, close } = await connect(() => server, 'legacy', { capabilities });
    const text = textOf(await client.callTool({ name: 'push' }));
    await close();
    return text;
}

describe('a capability that the request does not declare', () => {
    it.each([
        ['form', {}],
        ['form', { elicitation: { url: {} } }],
        ['url', { elicitation: {} }],
        ['tools', { sampling: {} }],
        ['choice', {}]
    ] as const)('rejects %s at the await with the error of the push API: %j', async (kind, capabilities) => {
        const reply = await scripted(ctx => caught(ctx, kind)).call({ capabilities });
        expect(replyText(reply)).toBe(await pushed(kind, capabilities));
        expect(replyText(reply)).toMatch(/^CAPABILITY_NOT_SUPPORTED SdkError: Client does not support/);
    });

    it.each([
        ['sampling', 'Client does not support sampling (required for sampling/createMessage)'],
        ['roots', 'Client does not support listing roots (required for roots/list)']
    ] as const)('rejects %s as the push API does with strict capabilities', async (kind, message) => {
        const reply = await scripted(ctx => caught(ctx, kind)).call({ capabilities: {} });
        expect(replyText(reply)).toBe(`CAPABILITY_NOT_SUPPORTED SdkError: ${message}`);
    });

    it.each([
        ['form', { elicitation: { form: {} } }],
        ['url', { elicitation: { url: {} } }],
        ['sampling', { sampling: {} }],
        ['tools', { sampling: { tools: {} } }],
        ['roots', { roots: {} }]
    ] as const)('is answered with -32021 on HTTP 400, if nobody catches it: %s', async (kind, requiredCapabilities) => {
        const { call } = scripted(ctx => ctx.need('it', QUESTIONS[kind] as Ask<unknown>).then(() => 'answered'));
        const { status, error } = await call({ capabilities: {} });
        expect(status).toBe(400);
        expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities } });
    });

    it('is answered with -32021 also for prompts and resources', async () => {
        const { attach, resumable } = createMrtr({ key: KEY });
        const send = frameClient(() => {
            const server = attach(new McpServer({ name: 'caps', version: '1.0.0' }));
            const asking = async (ctx: NeedContext) => ctx.need('it', QUESTIONS.form);
            server.registerPrompt(
                'p',
                {},
                resumable(ctx => asking(ctx).then(() => ({ messages: [] })))
            );
            server.registerResource(
                'r',
                'a://r',
                {},
                resumable((_uri, ctx) => asking(ctx).then(() => ({ contents: [] })))
            );
            return server;
        });
        for (const frame of [
            { method: 'prompts/get', params: { name: 'p' } },
            { method: 'resources/read', params: { uri: 'a://r' } }
        ] as const) {
            expect(await send({ ...frame, capabilities: {} })).toMatchObject({ status: 400, error: { code: -32021 } });
        }
    });

    it('is an ordinary error result if the handler makes another error of it', async () => {
        const { call } = scripted(async ctx => {
            try {
                return await ask(ctx, 'a');
            } catch (error) {
                throw new Error('cannot confirm', { cause: error });
            }
        });
        const reply = await call({ capabilities: {} });
        expect(reply.result).toMatchObject({ isError: true, content: [{ text: 'cannot confirm' }] });
    });

    it('does not keep other questions from being asked', async () => {
        const { call } = scripted(async ctx => (await Promise.all([caught(ctx, 'sampling'), ask(ctx, 'a')])).join());
        expect(askedKeys(await call({ capabilities: { elicitation: {} } }))).toEqual(['a']);
    });
});

it('reads an empty elicitation capability as forms', async () => {
    const { call } = scripted(ctx => ask(ctx, 'a'));
    expect(askedKeys(await call({ capabilities: { elicitation: {} } }))).toEqual(['a']);
});

it('checks what a sampling request says of tools, with the errors of the push API', async () => {
    const use = { type: 'tool_use' as const, id: '1', name: 'x', input: {} };
    const result = (id: string) => ({ type: 'tool_result' as const, toolUseId: id, content: [] });
    const cases = [
        [{ role: 'user', content: [result('1'), { type: 'text', text: 'and' }] }],
        [{ role: 'user', content: [result('1')] }],
        [
            { role: 'assistant', content: use },
            { role: 'user', content: [result('2')] }
        ],
        [
            { role: 'assistant', content: use },
            { role: 'user', content: { type: 'text', text: 'never mind' } }
        ]
    ] as const;
    for (const conversation of cases) {
        const params = { messages: conversation as never, maxTokens: 10 };
        const tell = (error: unknown) => `${(error as { code: number }).code} ${(error as Error).message}`;
        const server = new McpServer({ name: 'push', version: '1.0.0' });
        server.registerTool('push', {}, async ctx => ({
            content: [{ type: 'text', text: await ctx.mcpReq.requestSampling(params).then(() => 'sent', tell) }]
        }));
        const { client, close } = await connect(() => server, 'legacy');
        const expected = textOf(await client.callTool({ name: 'push' }));
        await close();
        const { call } = scripted(ctx => ctx.need('it', sample(params)).then(() => 'sent', tell));
        expect(replyText(await call())).toBe(expected);
        expect(expected).toMatch(/^-32602 /);
    }
});

describe('clientCapabilities', () => {
    async function seen(wire: Wire, capabilities: ClientCapabilities): Promise<unknown> {
        const { attach, resumable } = createMrtr({ key: KEY });
        const build = (): McpServer => {
            const server = attach(new McpServer({ name: 'caps', version: '1.0.0' }));
            const show = resumable(ctx => ({
                content: [
                    {
                        type: 'text' as const,
                        text: JSON.stringify([clientCapabilities(ctx, server), clientCapabilities(ctx, server.server)])
                    }
                ]
            }));
            server.registerTool('show', {}, show);
            return server;
        };
        const { client, close } = await connect(build, wire, { capabilities });
        const text = textOf(await client.callTool({ name: 'show' }));
        await close();
        return JSON.parse(text);
    }

    it.each(['http', 'stdio', 'legacy'] as const)('says over %s what the client declared', async wire => {
        const capabilities = { sampling: {}, roots: { listChanged: true } };
        expect(await seen(wire, capabilities)).toEqual([capabilities, capabilities]);
    });

    it.each(['http', 'stdio', 'legacy'] as const)('reads an empty elicitation over %s as forms', async wire => {
        const forms = { elicitation: { form: {} } };
        expect(await seen(wire, { elicitation: {} })).toEqual([forms, forms]);
    });
});
