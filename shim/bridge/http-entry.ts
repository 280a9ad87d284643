import {
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    createMcpHandler,
    isLegacyRequest
} from '@modelcontextprotocol/server';
import type {
    ClientCapabilities,
    Implementation,
    McpHandlerRequestOptions,
    McpHttpHandler,
    Server
} from '@modelcontextprotocol/server';

import { Bridge, DEFAULT_IDLE_SECONDS, DEFAULT_MAX_CALLERS } from './bridge.js';
import type { Caller } from './callers.js';
import { errorOf } from './errors.js';
import { isMessageId, isRecord } from './json-rpc.js';
import type { RpcNotification } from './json-rpc.js';
import { LegacySessions, rpcError } from './legacy-sessions.js';
import type { OpenLink } from './link/link.js';
import type { BridgeOptions } from './options.js';
import { MAX_BODY_BYTES, readBody } from './request-body.js';
import { Subscriptions } from './subscriptions.js';
import { asError } from './waiting.js';
import { whenSent } from './when-sent.js';

export interface HttpBridgeOptions extends BridgeOptions {
    /** Upper bound on the body of a request, in bytes. @default 4194304 */
    readonly maxRequestBodySize?: number | undefined;
}

/** A web-standard handler, as the SDK's `createMcpHandler` makes it. */
export interface HttpBridgeHandler {
    /** Bound: it may be taken off the handler. For Node frameworks, `toNodeHandler` of `@modelcontextprotocol/node`. */
    readonly fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
    /** Ends the calls that wait in memory and what serves them. */
    readonly close: () => Promise<void>;
}

/** What serves the 2026-07-28 clients of one principal. */
interface Serving {
    readonly handler: McpHttpHandler;
    /** How many of their requests are open, subscriptions included. */
    active: number;
}

/**
 * Serves HTTP: 2026-07-28 by the SDK's handler over fronts, one handler for each principal so that nobody hears of
 * another's resources, and 2025-era clients in sessions of their own.
 */
export class HttpEntry implements HttpBridgeHandler {
    readonly #bridge: Bridge;
    readonly #legacy: LegacySessions;
    readonly #subscriptions = new Subscriptions();
    /** The one that was used last comes last. */
    readonly #serving = new Map<string | undefined, Serving>();
    readonly #callers = new WeakMap<Request, Caller>();
    readonly #failures = new WeakMap<Request, Error>();
    readonly #maxBytes: number;
    readonly #maxCallers: number;
    #closed = false;

    constructor(open: OpenLink, options: HttpBridgeOptions) {
        this.#maxBytes = options.maxRequestBodySize ?? MAX_BODY_BYTES;
        this.#maxCallers = options.maxCallers ?? DEFAULT_MAX_CALLERS;
        this.#bridge = new Bridge(open, options, (notification, principal) => this.#changed(notification, principal));
        const idleMs = (options.idleSeconds ?? DEFAULT_IDLE_SECONDS) * 1000;
        this.#legacy = new LegacySessions(open, this.#maxCallers, idleMs, this.#bridge.warn);
    }

    /** Bound, as that of the SDK's handler: it may be taken off. */
    readonly fetch = (request: Request, options: McpHandlerRequestOptions = {}): Promise<Response> =>
        this.#fetch(request, options);

    async close(): Promise<void> {
        this.#closed = true;
        this.#subscriptions.clear();
        await Promise.all([...this.#serving.values()].map(({ handler }) => handler.close()));
        await Promise.all([this.#legacy.close(), this.#bridge.close()]);
    }

    async #fetch(request: Request, { authInfo, parsedBody }: McpHandlerRequestOptions): Promise<Response> {
        if (this.#closed) throw new Error('This MCP handler has been closed');
        const body = parsedBody === undefined ? await readBody(request, this.#maxBytes) : json(parsedBody);
        if (body.kind === 'too-large') return rpcError(413, -32000, 'Payload Too Large');
        if (body.kind === 'malformed') return rpcError(400, -32700, 'Parse error: the request body is not valid JSON');
        const origin = { authInfo, request };
        const principal = await this.#bridge.principal(origin);
        const value = body.kind === 'json' ? body.value : undefined;
        const isPost = request.method === 'POST';
        if (!isPost || (value !== undefined && (await isLegacyRequest(request, value)))) {
            return this.#legacy.fetch(request, value, origin, principal);
        }
        const caller = { principal, authInfo, ...declaredIn(value) };
        this.#callers.set(request, caller);
        const options = { ...(authInfo && { authInfo }), ...(value !== undefined && { parsedBody: value }) };
        const serving = this.#servingFor(principal);
        serving.active++;
        const response = await serving.handler.fetch(request, options).catch((error: unknown) => {
            serving.active--;
            throw error;
        });
        const failure = this.#failures.get(request);
        const unlisten = isListen(value) && response.ok ? this.#listen(request, value, caller) : undefined;
        return whenSent(failure === undefined ? response : explained(failure, value), request.signal, () => {
            serving.active--;
            unlisten?.();
        });
    }

    #servingFor(principal: string | undefined): Serving {
        const known = this.#serving.get(principal);
        const serving = known ?? {
            // What a client did wrong it is told itself.
            handler: createMcpHandler(({ requestInfo }) => this.#front(requestInfo, principal), { legacy: 'reject' }),
            active: 0
        };
        this.#serving.delete(principal);
        this.#serving.set(principal, serving);
        for (const [other, { handler, active }] of this.#serving) {
            if (this.#serving.size <= this.#maxCallers) break;
            if (active > 0 || other === principal) continue;
            this.#serving.delete(other);
            void handler.close();
        }
        return serving;
    }

    async #front(request: Request | undefined, principal: string | undefined): Promise<Server> {
        const caller = request && this.#callers.get(request);
        try {
            return await this.#bridge.front(caller ?? { principal, ...declaredIn(undefined) }, request);
        } catch (error) {
            if (request !== undefined) this.#failures.set(request, asError(error));
            throw error;
        }
    }

    /**
     * The SDK takes subscriptions by itself, and tells nobody which resources they are for.
     *
     * @returns ends what the old server has been told.
     */
    #listen(request: Request, { params }: { params?: unknown }, caller: Caller): () => void {
        const lease = this.#bridge.lease(caller);
        this.#subscriptions.open(request, params, lease.workers);
        return () => {
            this.#subscriptions.close(request);
            lease.release();
        };
    }

    #changed({ method, params }: RpcNotification, principal: string | undefined): void {
        const notify = this.#serving.get(principal)?.handler.notify;
        if (notify === undefined) return;
        if (method === 'notifications/tools/list_changed') notify.toolsChanged();
        if (method === 'notifications/prompts/list_changed') notify.promptsChanged();
        if (method === 'notifications/resources/list_changed') notify.resourcesChanged();
        const uri = params?.['uri'];
        if (method === 'notifications/resources/updated' && typeof uri === 'string') notify.resourceUpdated(uri);
    }
}

/** The SDK says no more than that there was an internal error. */
function explained(failure: Error, body: unknown): Response {
    const id = isRecord(body) && isMessageId(body['id']) ? body['id'] : null;
    return Response.json({ jsonrpc: '2.0', id, error: errorOf(failure) }, { status: 500 });
}

function json(value: unknown) {
    return { kind: 'json', value } as const;
}

function isListen(body: unknown): body is { params?: unknown } {
    return isRecord(body) && body['method'] === 'subscriptions/listen';
}

function declaredIn(body: unknown): Pick<Caller, 'capabilities' | 'clientInfo'> {
    const params = isRecord(body) && isRecord(body['params']) ? body['params'] : {};
    const meta = isRecord(params['_meta']) ? params['_meta'] : {};
    return {
        capabilities: meta[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined,
        clientInfo: meta[CLIENT_INFO_META_KEY] as Implementation | undefined
    };
}
