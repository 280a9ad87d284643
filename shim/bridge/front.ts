import { CLIENT_INFO_META_KEY, LOG_LEVEL_META_KEY, Server } from '@modelcontextprotocol/server';
import type {
    Implementation,
    JsonSchemaValidator,
    jsonSchemaValidator,
    Result,
    ServerCapabilities,
    ServerContext
} from '@modelcontextprotocol/server';

import { envelopeCapabilities } from '../handler/era.js';
import type { AskingMethod } from '../handler/era.js';
import type { Mrtr } from '../handler/create-mrtr.js';
import type { NeedContext } from '../handler/need.js';
import type { Caller, Lease } from './callers.js';
import { isRecord } from './json-rpc.js';
import type { Initialized, Params } from './json-rpc.js';
import { relay } from './relay.js';
import { FactsOf } from './request-facts.js';
import { inTime } from './waiting.js';
import type { KeyFor } from './relay.js';

/** How calls wait for their client: as in `resumable`, and what `auto` may run again. */
export interface FrontOptions {
    readonly mode: 'park' | 'auto' | 'replay';
    /** Tools that mode `auto` may run again beside those that are annotated so. */
    readonly replaySafe: ReadonlySet<string>;
    /** How long to wait for further asks before the open ones are sent, in milliseconds. */
    readonly settleMs: number;
    readonly keyFor: KeyFor | undefined;
    readonly mrtr: Mrtr;
    readonly lease: (caller: Caller) => Lease;
    /** @throws if the operator's own function does. */
    readonly principal: (ctx: ServerContext) => Promise<string | undefined>;
}

type CallHandler = (request: { readonly params: Params }, ctx: ServerContext) => Promise<Result>;

/** Requests that are brought to the old server as they are, with the capability that goes with them. */
const PLAIN = [
    ['tools/list', 'tools'],
    ['prompts/list', 'prompts'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resources'],
    ['completion/complete', 'completions']
] as const;

const CALLS = [
    ['tools/call', 'tools'],
    ['prompts/get', 'prompts'],
    ['resources/read', 'resources']
] as const satisfies readonly (readonly [AskingMethod, keyof ServerCapabilities])[];

/** How long a call waits to know whether its tool may run again, in milliseconds; one that is not known may not. */
const LIST_MS = 2000;

/** From the most talkative to the least (server/utilities/logging). */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Answers are for the old server to check, with its own validator and in its own words. */
const NO_CHECK: jsonSchemaValidator = {
    getValidator<T>(): JsonSchemaValidator<T> {
        return input => ({ valid: true, data: input as T, errorMessage: undefined });
    }
};

/**
 * Makes the servers that 2026-07-28 clients meet: the SDK's own, with the name and the capabilities of the old one, and
 * handlers that bring each request to the old server of its caller (DESIGN rule 20).
 */
export function createFronts(options: FrontOptions): (initialized: Initialized) => Server {
    const { mrtr, mode, settleMs, keyFor } = options;

    const calling =
        (method: AskingMethod) =>
        ({ params }: { params: Params }, ctx: NeedContext): Promise<Result> =>
            new Promise((resolve, reject) => {
                callerOf(ctx, options)
                    .then(caller => {
                        const lease = options.lease(caller);
                        hearLogs(lease, ctx);
                        relay(bare(params), { method, ctx, lease, keyFor }, { resolve, reject });
                    })
                    .catch(reject);
            });
    const resumable = (method: AskingMethod, replaySafe: boolean): CallHandler => {
        const onSuspend = mode === 'replay' ? ({ onSuspend: 'unwind' } as const) : {};
        const handler: CallHandler = mrtr.resumable(
            { mode, settleMs, ...(mode === 'auto' && { replaySafe }), ...onSuspend },
            calling(method)
        );
        return handler;
    };
    const calls = ({ once, again }: { once: CallHandler; again: CallHandler }, method: AskingMethod): CallHandler => {
        if (mode !== 'auto' || method !== 'tools/call') return once;
        return async (request, ctx) =>
            (await isReplaySafe(request.params['name'], ctx, options)) ? again(request, ctx) : once(request, ctx);
    };
    const callHandlers = CALLS.map(([method, capability]) => {
        const handler = calls({ once: resumable(method, false), again: resumable(method, true) }, method);
        return { method, capability, handler };
    });
    const plain = async (method: string, params: Params | undefined, ctx: ServerContext): Promise<Result> => {
        const lease = options.lease(await callerOf(ctx, options));
        try {
            hearLogs(lease, ctx);
            const result = await lease.workers.request(
                method,
                params && bare(params),
                ctx.mcpReq.signal,
                new FactsOf(ctx)
            );
            if (method === 'tools/list') lease.profile.learn(result);
            return result;
        } finally {
            lease.release();
        }
    };

    return ({ serverInfo, capabilities, instructions }) => {
        // What a task is, revision 2026-07-28 does not know; everything else is as it was.
        const { tasks: _tasks, ...offered } = capabilities;
        const server = mrtr.attach(
            new Server(serverInfo, {
                capabilities: offered,
                jsonSchemaValidator: NO_CHECK,
                ...(instructions !== undefined && { instructions })
            })
        );
        for (const [method, capability] of PLAIN) {
            if (offered[capability] === undefined) continue;
            server.setRequestHandler(method, (request, ctx) => plain(method, request.params, ctx) as Promise<never>);
        }
        for (const { method, capability, handler } of callHandlers) {
            if (offered[capability] === undefined) continue;
            server.setRequestHandler(method, (request, ctx) => handler(request, ctx) as Promise<never>);
        }
        return server;
    };
}

/** Whether mode `auto` may run a tool again, for which its annotations have to be known before it is called. */
async function isReplaySafe(tool: unknown, ctx: ServerContext, options: FrontOptions): Promise<boolean> {
    if (typeof tool !== 'string') return false;
    if (options.replaySafe.has(tool)) return true;
    const lease = options.lease(await callerOf(ctx, options));
    try {
        if (lease.profile.isSafe(tool) === undefined) {
            const late = (): Error => new Error('The tools are not known');
            await inTime(listTools(lease, ctx), LIST_MS, late).catch(() => undefined);
        }
        return lease.profile.isSafe(tool) ?? false;
    } finally {
        lease.release();
    }
}

/** A list that cannot be had makes no tool safe, and no call fail. */
async function listTools({ workers, profile }: Lease, ctx: ServerContext): Promise<void> {
    let cursor: unknown;
    do {
        const params = cursor === undefined ? undefined : { cursor };
        const page: Params = await workers
            .request('tools/list', params, ctx.mcpReq.signal, new FactsOf(ctx))
            .catch(() => ({ tools: [] }));
        profile.learn(page);
        cursor = page['nextCursor'];
    } while (cursor !== undefined);
}

async function callerOf(ctx: ServerContext, { principal }: FrontOptions): Promise<Caller> {
    return {
        principal: await principal(ctx),
        authInfo: ctx.http?.authInfo,
        capabilities: envelopeCapabilities(ctx),
        clientInfo: envelopeMember(ctx, CLIENT_INFO_META_KEY) as Implementation | undefined
    };
}

/** Each request says how much it wants to hear, and an old server has one level for all: the most that was wanted. */
function hearLogs({ workers, profile }: Lease, ctx: ServerContext): void {
    const level = envelopeMember(ctx, LOG_LEVEL_META_KEY);
    if (typeof level !== 'string' || profile.initialized?.capabilities.logging === undefined) return;
    const told = workers.told('logging')?.['level'];
    if (typeof told === 'string' && LEVELS.indexOf(told) <= LEVELS.indexOf(level)) return;
    workers.tell('logging', 'logging/setLevel', { level });
}

function envelopeMember(ctx: ServerContext, name: string): unknown {
    return (ctx.mcpReq.envelope as Params | undefined)?.[name];
}

/** Without what 2026-07-28 puts beside the params: the old server has been told that at `initialize`. */
function bare(params: Params): Params {
    const { _meta: meta, ...rest } = params;
    if (!isRecord(meta)) return rest;
    const own = Object.entries(meta).filter(([name]) => !name.startsWith('io.modelcontextprotocol/'));
    return own.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(own) };
}
