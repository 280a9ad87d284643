import type { ServerContext } from '@modelcontextprotocol/server';

import { eagerHandlers } from './eager-handlers.js';
import { ASKING_METHODS, isAskingMethod } from './era.js';
import type { AskingMethod } from './era.js';
import { AttachedTooLateError } from './errors.js';

/** What `attach` needs of a low-level `Server`, whichever copy of the SDK it comes from. */
export interface LowLevelServer {
    setRequestHandler: (...args: never[]) => void;
    /** Throws if a handler of the method is registered. */
    assertCanSetRequestHandler(method: string): void;
}

/** An `McpServer`, or a low-level `Server`. */
export type AttachableServer = LowLevelServer | { readonly server: LowLevelServer };

/** A request to an attached server, on its way to the SDK's own handler. */
export interface SeamRequest {
    readonly method: AskingMethod;
    /** As the client sent them, before a tool's schema has changed anything. */
    readonly params: Readonly<Record<string, unknown>>;
    readonly ctx: ServerContext;
    readonly server: LowLevelServer;
    /** What was attached: `server`, or the `McpServer` around it. */
    readonly attached: AttachableServer;
    /** The SDK's handler, or the user's own on a low-level server. */
    proceed(ctx: ServerContext): unknown;
}

/** A handler as the SDK calls it, with the request or, where schemas were given, with its params. */
export type RequestHandler = (message: Readonly<Record<string, unknown>>, ctx: ServerContext) => unknown;

/** Marks a server with what it is attached to. Registered, for there may be two copies of this package. */
const ATTACHED = Symbol.for('mcp-mrtr.attached/1');

/**
 * Puts `seam` above the handlers of `tools/call`, `prompts/get` and `resources/read`, over the public
 * `setRequestHandler`. Only there the raw arguments are known, and only from there an error leaves as a JSON-RPC
 * error: what a tool callback throws becomes an error result.
 *
 * @param owner the instance that attaches; attaching twice to the same is no harm.
 * @returns the low-level server, if it has not been attached before.
 * @throws AttachedTooLateError if one of the methods has a handler already.
 */
export function attachSeam(
    server: AttachableServer,
    owner: object,
    seam: (request: SeamRequest) => unknown
): LowLevelServer | undefined {
    const low = lowLevelServer(server);
    const marked = low as LowLevelServer & { [ATTACHED]?: object };
    if (marked[ATTACHED] === owner) return undefined;
    if (marked[ATTACHED] !== undefined) throw new Error('attach(server): it is attached to another createMrtr()');

    const under = (method: AskingMethod, handler: RequestHandler, bare: boolean): RequestHandler => {
        return (message, ctx) =>
            seam({
                method,
                params: (bare ? message : (message['params'] as Record<string, unknown> | undefined)) ?? {},
                ctx,
                server: low,
                attached: server,
                proceed: context => handler(message, context)
            });
    };
    const early = ASKING_METHODS.filter(method => isRegistered(low, method));
    const handlers = early.map(method => eagerHandlers(server, low, method));
    for (const [index, method] of early.entries()) {
        const handler = handlers[index]?.get(method);
        if (handler === undefined) throw new AttachedTooLateError(method);
        handlers[index]?.set(method, under(method, handler, false));
    }
    const register = low.setRequestHandler.bind(low) as (...args: unknown[]) => void;
    low.setRequestHandler = (...args: unknown[]) => {
        const [method] = args;
        const handler = args.at(-1);
        if (typeof method === 'string' && isAskingMethod(method) && isFunction(handler)) {
            // With schemas as second argument the handler gets the params themselves, else the whole request.
            args[args.length - 1] = under(method, handler, args.length > 2);
        }
        register(...args);
    };
    marked[ATTACHED] = owner;
    return low;
}

function lowLevelServer(server: AttachableServer): LowLevelServer {
    return 'setRequestHandler' in server ? server : server.server;
}

function isFunction(value: unknown): value is RequestHandler {
    return typeof value === 'function';
}

function isRegistered(server: LowLevelServer, method: string): boolean {
    try {
        server.assertCanSetRequestHandler(method);
        return false;
    } catch {
        return true;
    }
}
