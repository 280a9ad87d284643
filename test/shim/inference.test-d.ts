/**
 * Compiled by `npm run typecheck`, never run: what TypeScript infers for handlers inside and apart from the real
 * registration functions. Every `@ts-expect-error` fails the compilation if the line below it is accepted.
 */
/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/require-await, @typescript-eslint/no-unsafe-call,
   @typescript-eslint/no-unnecessary-type-parameters, @typescript-eslint/no-explicit-any,
   @typescript-eslint/no-unsafe-member-access -- values serve their types here, and nothing runs */
import { McpServer, ResourceTemplate, Server } from '@modelcontextprotocol/server';
import type {
    CallToolResult,
    CreateMessageRequest,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ElicitRequestFormParams,
    ElicitResult,
    ListRootsResult,
    ServerContext,
    ToolCallback
} from '@modelcontextprotocol/server';
import * as z from 'zod';

import { clientCapabilities, createMrtr, elicit, elicitUrl, listRoots, need, sample } from '../../shim/index.js';
import type { Ask, NeedContext } from '../../shim/index.js';

/** Compiles only if both types are the same. */
declare function same<A, B>(
    ..._: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? [] : ['differ']
): void;
declare function text(value: string): CallToolResult;

const { attach, resumable, requestState } = createMrtr({ key: process.env['MCP_STATE_KEY'] });
const server: McpServer = attach(new McpServer({ name: 'shop', version: '1.0.0' }, { requestState: requestState() }));
const low: Server = attach(new Server({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } }));

const ORDER = z.object({ order: z.string() });
const FORM: ElicitRequestFormParams['requestedSchema'] = { type: 'object', properties: { ok: { type: 'boolean' } } };
const confirm = elicit({ message: 'Go on?', requestedSchema: FORM });

// Tools: zod object, raw shape, no input.
server.registerTool(
    'zod',
    { inputSchema: ORDER },
    resumable(async ({ order }, ctx) => {
        same<typeof order, string>();
        same<typeof ctx, NeedContext>();
        // @ts-expect-error order is a string
        order satisfies number;
        // @ts-expect-error there is no such member
        await ctx.ask('confirm', confirm);
        const { action } = await ctx.need('confirm', confirm);
        return text(`${order} ${action} ${ctx.round} ${String(ctx.mcpReq.signal.aborted)}`);
    })
);
server.registerTool(
    'shape',
    { inputSchema: { order: z.string(), amount: z.number() } },
    resumable(async ({ order, amount }, ctx) => {
        same<typeof order, string>();
        same<typeof amount, number>();
        same<typeof ctx, NeedContext>();
        return text((await ctx.need('confirm', confirm)).action);
    })
);
server.registerTool(
    'bare',
    { description: 'takes nothing' },
    resumable(async ctx => {
        same<typeof ctx, NeedContext>();
        return text((await ctx.need('confirm', confirm)).action);
    })
);
server.registerTool(
    'output',
    { inputSchema: z.object({}), outputSchema: z.object({ answer: z.string() }) },
    resumable(async (_args, ctx) => {
        same<typeof ctx, NeedContext>();
        return { content: [], structuredContent: { answer: (await ctx.need('confirm', confirm)).action } };
    })
);
server.registerTool(
    'sync',
    { inputSchema: ORDER },
    resumable(({ order }) => text(order))
);
server.registerTool(
    'options',
    { inputSchema: ORDER },
    resumable({ settleMs: 25, allowUnclaimed: true }, async ({ order }, ctx) => {
        same<typeof order, string>();
        same<typeof ctx, NeedContext>();
        return text((await ctx.need('confirm', confirm)).action);
    })
);
// With annotations inside the registration, as a migration may have to write them.
server.registerTool(
    'context',
    { inputSchema: ORDER },
    resumable(async ({ order }, ctx: NeedContext) => {
        same<typeof order, string>();
        return text((await ctx.need('confirm', confirm)).action);
    })
);
server.registerTool(
    'loose',
    { inputSchema: ORDER },
    resumable(async (args: any, ctx) => {
        same<typeof ctx, NeedContext>();
        return text(String(args.order));
    })
);
server.registerTool(
    'plain',
    { inputSchema: ORDER },
    resumable(async (args, ctx: ServerContext) => text(`${args.order}${ctx.mcpReq.id}`))
);
server.registerTool(
    'bare-context',
    {},
    resumable(async (ctx: NeedContext) => text((await ctx.need('confirm', confirm)).action))
);
// @ts-expect-error there is no such mode
resumable({ mode: 'hold' }, async (ctx: NeedContext) => text(String(ctx.round)));
// @ts-expect-error a tool does not return a number
server.registerTool(
    'number',
    { inputSchema: ORDER },
    resumable(async ({ order }, ctx) => order.length + ctx.round)
);
// @ts-expect-error a promise of a result is not a result of a sync prompt either
server.registerPrompt(
    'number',
    { argsSchema: ORDER },
    resumable(async ({ order }) => order.length)
);

// Prompts.
server.registerPrompt(
    'zod',
    { argsSchema: z.object({ who: z.string() }) },
    resumable(async ({ who }, ctx) => {
        same<typeof who, string>();
        same<typeof ctx, NeedContext>();
        await ctx.need('confirm', confirm);
        return { messages: [] };
    })
);
server.registerPrompt(
    'shape',
    { argsSchema: { who: z.string() } },
    resumable(async ({ who }, ctx) => {
        same<typeof who, string>();
        same<typeof ctx, NeedContext>();
        await ctx.need('confirm', confirm);
        return { messages: [] };
    })
);
server.registerPrompt(
    'bare',
    {},
    resumable(async ctx => {
        same<typeof ctx, NeedContext>();
        await ctx.need('confirm', confirm);
        return { messages: [] };
    })
);

// Resources, fixed and by template.
server.registerResource(
    'fixed',
    'shop://orders',
    {},
    resumable(async (uri, ctx) => {
        same<typeof uri, URL>();
        same<typeof ctx, NeedContext>();
        await ctx.need('confirm', confirm);
        return { contents: [{ uri: uri.href, text: '' }] };
    })
);
server.registerResource(
    'template',
    new ResourceTemplate('shop://orders/{id}', { list: undefined }),
    {},
    resumable(async (uri, { id }, ctx) => {
        same<typeof uri, URL>();
        same<typeof id, string | string[] | undefined>();
        same<typeof ctx, NeedContext>();
        await ctx.need('confirm', confirm);
        return { contents: [{ uri: uri.href, text: '' }] };
    })
);

// Low-level request handlers.
low.setRequestHandler(
    'tools/call',
    resumable(async (request, ctx) => {
        same<typeof request.params.name, string>();
        same<typeof ctx, NeedContext>();
        return text((await ctx.need('confirm', confirm)).action);
    })
);
low.setRequestHandler(
    'resources/subscribe',
    resumable(async ({ params }, ctx) => {
        same<typeof params.uri, string>();
        await ctx.need('confirm', confirm);
        return {};
    })
);
low.setRequestHandler(
    'shop/custom',
    { params: ORDER },
    resumable(async ({ order }, ctx) => {
        same<typeof order, string>();
        same<typeof ctx, NeedContext>();
        return {};
    })
);

// Apart from the registration: what comes before the context is annotated.
const refund = resumable(async ({ order }: { order: string }, ctx) => {
    same<typeof ctx, NeedContext>();
    return text(`${order} ${(await ctx.need('confirm', confirm)).action}`);
});
same<typeof refund, (first: { order: string }, ctx: ServerContext) => Promise<CallToolResult>>();
server.registerTool('refund', { inputSchema: ORDER }, refund);
server.registerTool('refund', { inputSchema: { order: z.string() } }, refund);
// @ts-expect-error the tool gives a number
server.registerTool('refund', { inputSchema: z.object({ order: z.number() }) }, refund);

const status = resumable(async ctx => {
    same<typeof ctx, NeedContext>();
    return text((await ctx.need('confirm', confirm)).action);
});
server.registerTool('status', {}, status);

const read = resumable(async (uri: URL, variables: Record<string, string | string[]>, ctx) => {
    same<typeof ctx, NeedContext>();
    await ctx.need('confirm', confirm);
    return { contents: [{ uri: uri.href, text: JSON.stringify(variables) }] };
});
server.registerResource('read', new ResourceTemplate('shop://orders/{id}', { list: undefined }), {}, read);

const annotated = resumable({ settleMs: 5 }, async (args: z.infer<typeof ORDER>, ctx: NeedContext) => {
    await ctx.need('confirm', confirm);
    return text(args.order);
});
server.registerTool('annotated', { inputSchema: ORDER }, annotated);

async function declared({ order }: { order: string }, ctx: NeedContext): Promise<CallToolResult> {
    return text(`${order} ${(await ctx.need('confirm', confirm)).action}`);
}
server.registerTool('declared', { inputSchema: ORDER }, resumable(declared));
const inAMap = {
    refund,
    declared: resumable(declared),
    loose: resumable(async (args: unknown, ctx) => text(`${String(args)}${ctx.round}`))
};
server.registerTool('map', { inputSchema: ORDER }, inAMap.declared);
const typed: ToolCallback<typeof ORDER> = resumable(async ({ order }, ctx) => text(`${order}${ctx.round}`));
server.registerTool('typed', { inputSchema: ORDER }, typed);

// Builders: the answer has the type that the push call of the same question returned.
async function answers(ctx: NeedContext, params: CreateMessageRequest['params']): Promise<void> {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }];
    const form = await ctx.need('form', elicit({ mode: 'form', message: 'Go on?', requestedSchema: FORM }));
    same<typeof form, ElicitResult>();
    const url = await ctx.need(
        'url',
        elicit({ mode: 'url', message: 'Sign in', url: 'https://a.test', elicitationId: 'x' })
    );
    same<typeof url, ElicitResult>();
    same<ReturnType<typeof elicitUrl>, Ask<ElicitResult>>();
    elicitUrl({ message: 'Sign in', url: 'https://a.test' });
    const plain = await ctx.need('plain', sample({ messages, maxTokens: 10 }));
    same<typeof plain, CreateMessageResult>();
    const tools = await ctx.need('tools', sample({ messages, maxTokens: 10, tools: [] }));
    same<typeof tools, CreateMessageResultWithTools>();
    const either = await ctx.need('either', sample(params));
    const pushed = await server.server.createMessage(params);
    same<typeof either, typeof pushed>();
    const roots = await ctx.need('roots', listRoots());
    same<typeof roots, ListRootsResult>();
    same<Awaited<ReturnType<typeof need<ElicitResult>>>, ElicitResult>();

    const read = await ctx.need(
        'typed',
        elicit({ message: 'How many?', requestedSchema: z.object({ count: z.number() }) })
    );
    if (read.action === 'accept') same<typeof read.content, { count: number }>();
    // @ts-expect-error declined content is absent
    else read.content.count satisfies number;

    // @ts-expect-error a question is made by a builder
    await ctx.need('raw', { method: 'roots/delete' });
    // @ts-expect-error a key is a string
    await ctx.need(1, listRoots());
    // @ts-expect-error a form needs a message
    elicit({ requestedSchema: FORM });
}

// Once: the JSON copy of the result.
async function onces(ctx: NeedContext): Promise<void> {
    interface Row {
        readonly id: number;
        readonly at: Date;
        readonly note?: string;
        reload(): Promise<void>;
    }
    const row = await ctx.once('row', (): Promise<Row> => Promise.reject(new Error('unused')));
    same<typeof row.at, string>();
    same<typeof row.note, string | undefined>();
    // @ts-expect-error JSON has no methods
    await row.reload();
    const rows = await ctx.once('rows', (): Row[] => []);
    same<(typeof rows)[number]['id'], number>();
    const nothing = ctx.once('effect', async () => {});
    same<typeof nothing, Promise<void>>();
    same<ReturnType<typeof ctx.onceSync<string>>, string>();
}

export const used = [answers, onces, need, clientCapabilities(undefined, server)?.elicitation];
