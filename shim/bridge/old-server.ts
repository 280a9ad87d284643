import type { EmbeddedRequest } from '../exchange/question.js';
import { missingCapability } from '../handler/capabilities.js';
import { BridgeError, OldServerError } from './errors.js';
import { isRecord, isRpcRequest, isRpcResponse } from './json-rpc.js';
import type {
    ClientFacts,
    Initialized,
    MessageId,
    Params,
    RpcError,
    RpcMessage,
    RpcNotification,
    RpcRequest
} from './json-rpc.js';
import type { Link, LinkEvents, RequestFacts } from './link/link.js';
import { OutsideAsks } from './outside-asks.js';

/** The call of a client, as the old server meets it. */
export interface CallHost {
    /** Brings a question to the client. Rejects with what the old server shall be told; may never settle. */
    ask(request: EmbeddedRequest): Promise<Params>;
    progress(params: Params): void;
    log(params: Params): void;
}

export interface OldServerEvents {
    /** `list_changed` of any kind, or `resources/updated`. */
    changed(notification: RpcNotification): void;
    closed(how: string): void;
    notice(text: string): void;
}

/** The revision that old servers are spoken to in. What they answer may be older still. */
const REVISION = '2025-11-25';

/** What a server may ask its client, by method. */
const ASKS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

/** How long a handshake may take; a package may have to be downloaded first. In milliseconds. */
const HANDSHAKE_MS = 60_000;

/** How long an old server may take to answer a ping that only orders messages, in milliseconds. */
const PING_MS = 1000;

/** How long a server gets to take in what it asked outside of any request, before a call is started. Milliseconds. */
const DIGEST_MS = 50;

/** How long a request that was cancelled may go unanswered before its server counts as stuck, in milliseconds. */
const CANCEL_MS = 5000;

interface Pending {
    readonly method: string;
    readonly host: CallHost | undefined;
    readonly resolve: (result: Params) => void;
    readonly reject: (error: Error) => void;
    /** Ids of the old server's requests that wait for the client. */
    readonly asks: Set<MessageId>;
    cancelled?: true;
}

/**
 * A connection to one old server, which speaks 2025-11-25 over its {@link Link} and does not know of another revision
 * (DESIGN rule 20): handshake, requests, and whose call an ask of its belongs to (rule 21).
 */
export class OldServer implements LinkEvents {
    /** Ids are numbers below 2^31, which every JSON-RPC implementation can echo. */
    #nextId: number;
    readonly #link: Link;
    readonly #client: ClientFacts;
    readonly #events: OldServerEvents;
    readonly #pending = new Map<MessageId, Pending>();
    readonly #outside = new OutsideAsks();
    #initialized: Initialized | undefined;
    #ended: string | undefined;
    #stuck = false;
    #fresh = true;
    /** Calls that are about to start and take over asks outside of requests. */
    #carriers = 0;

    private constructor(link: Link, client: ClientFacts, events: OldServerEvents, firstId: number) {
        this.#link = link;
        this.#client = client;
        this.#events = events;
        this.#nextId = firstId;
    }

    /**
     * Starts an old server and shakes hands with it.
     *
     * @param firstId id of the first request: links may recognise their own requests by it.
     * @throws BridgeError if it cannot be started, or does not answer.
     */
    static async connect(
        link: Link,
        client: ClientFacts,
        events: OldServerEvents,
        firstId: number
    ): Promise<OldServer> {
        const server = new OldServer(link, client, events, firstId);
        try {
            await link.start(server);
            await server.#shakeHands();
        } catch (error) {
            void link.close();
            if (error instanceof BridgeError) throw error;
            const how = error instanceof Error ? error.message : String(error);
            throw new BridgeError('not_started', `The server could not be started: ${how}`);
        }
        return server;
    }

    get initialized(): Initialized {
        if (this.#initialized === undefined) throw new Error('The handshake is not over');
        return this.#initialized;
    }

    /** Whether several calls may run at the same time, because each ask can be told from the others'. */
    get shared(): boolean {
        return this.#link.traced;
    }

    /** How many requests are open. */
    get open(): number {
        return this.#pending.size;
    }

    /** Whether it takes no request any more. */
    get ended(): boolean {
        return this.#ended !== undefined || this.#stuck;
    }

    /** Sends a request that nothing is asked within. */
    request(method: string, params?: Params, signal?: AbortSignal, facts?: RequestFacts): Promise<Params> {
        return this.#send(method, params, undefined, signal, facts);
    }

    /**
     * Sends a request that the client may be asked within. What the server has asked outside of any request goes first:
     * this call is its carrier, and is held until it has its answers (DESIGN rule 23).
     */
    async call(
        method: string,
        params: Params,
        host: CallHost,
        signal: AbortSignal,
        facts: RequestFacts
    ): Promise<Params> {
        this.#carriers++;
        try {
            await this.#carry(host);
        } finally {
            this.#carriers--;
        }
        return this.#send(method, params, host, signal, facts);
    }

    /** Gives up a call whose asks will not be answered. The server may not be usable any more: see {@link ended}. */
    abandon(host: CallHost): void {
        for (const [id, pending] of this.#pending) {
            if (pending.host !== host) continue;
            this.#pending.delete(id);
            if (!this.#link.abandon(id, [...pending.asks])) this.#stuck = true;
        }
    }

    notify(method: string, params?: Params): void {
        if (this.#ended !== undefined) return;
        this.#link.send({ jsonrpc: '2.0', method, ...(params && { params }) });
    }

    async close(): Promise<void> {
        this.#end('was closed');
        await this.#link.close();
    }

    message(message: RpcMessage, origin?: MessageId): void {
        if (isRpcResponse(message)) this.#settle(message);
        else if (isRpcRequest(message)) this.#answer(message, origin);
        else this.#heed(message, origin);
    }

    closed(how: string): void {
        this.#end(how);
    }

    notice(text: string): void {
        this.#events.notice(text);
    }

    async #shakeHands(): Promise<void> {
        const { capabilities, clientInfo } = this.#client;
        const params = { protocolVersion: REVISION, capabilities, clientInfo };
        const late = new BridgeError(
            'not_started',
            `The server did not answer initialize within ${HANDSHAKE_MS / 1000} seconds. ` +
                `Is it a server for stdio, and does its command start it and nothing else?`
        );
        const result = await inTime(this.#send('initialize', params), HANDSHAKE_MS, late);
        if (!isInitialized(result)) {
            throw new BridgeError('not_started', 'What answered initialize is no MCP server: it has no serverInfo.');
        }
        this.#initialized = result;
        this.notify('notifications/initialized');
    }

    async #carry(host: CallHost): Promise<void> {
        const fresh = this.#fresh;
        this.#fresh = false;
        // Revision 2026-07-28 has no notification that roots have changed: who keeps them has to ask before each call.
        const refresh = this.#outside.keepsRoots;
        if (refresh) this.notify('notifications/roots/list_changed');
        if (!fresh && !refresh && this.#outside.waiting === 0) return;
        await this.#inOrder();
        while (this.#outside.waiting > 0) {
            await this.#outside.carry(host);
            await this.#inOrder();
            await delay(DIGEST_MS);
        }
    }

    /** Resolves when what the server sent at once in reply to what it was sent has come. */
    async #inOrder(): Promise<void> {
        const ping = this.#send('ping').then(ignore, ignore);
        await inTime(ping, PING_MS, undefined);
    }

    #send(
        method: string,
        params?: Params,
        host?: CallHost,
        signal?: AbortSignal,
        facts?: RequestFacts
    ): Promise<Params> {
        if (this.#ended !== undefined) return Promise.reject(ended(this.#ended));
        if (signal?.aborted === true) return Promise.reject(asError(signal.reason));
        const id = this.#nextId++;
        return new Promise<Params>((resolve, reject) => {
            this.#pending.set(id, { method, host, resolve, reject, asks: new Set() });
            signal?.addEventListener('abort', () => this.#cancel(id, signal.reason), { once: true });
            const traced = isRecord(params?.['_meta']) && 'progressToken' in params['_meta'];
            const sent = traced ? { ...params, _meta: { ...params['_meta'], progressToken: id } } : params;
            this.#link.send({ jsonrpc: '2.0', id, method, ...(sent && { params: sent }) }, facts);
        });
    }

    #settle(response: Extract<RpcMessage, { readonly result: Params } | { readonly error: RpcError }>): void {
        const pending = this.#pending.get(response.id);
        this.#pending.delete(response.id);
        if ('error' in response) pending?.reject(new OldServerError(response.error));
        else pending?.resolve(response.result);
    }

    #cancel(id: MessageId, reason: unknown): void {
        const pending = this.#pending.get(id);
        if (pending === undefined) return;
        pending.cancelled = true;
        const { message } = asError(reason);
        this.notify('notifications/cancelled', { requestId: id, reason: message });
        pending.reject(asError(reason));
        // A server that has only one request at a time is lost with one that never ends.
        if (this.shared) return void this.#pending.delete(id);
        setTimeout(() => {
            if (this.#pending.delete(id)) this.#stuck = true;
        }, CANCEL_MS).unref();
    }

    /** A request of the old server. */
    #answer(request: RpcRequest, origin: MessageId | undefined): void {
        const { id, method } = request;
        if (method === 'ping') return this.#reply(id, Promise.resolve({}));
        if (!ASKS.has(method)) {
            return this.#reply(id, Promise.reject(notSupported()));
        }
        const asked = embedded(request);
        const owner = this.#ownerOf(method, origin);
        if (owner instanceof BridgeError) {
            this.#events.notice(owner.message);
            return this.#reply(id, Promise.reject(owner));
        }
        if (owner === 'outside') return this.#reply(id, this.#askOutside(asked));
        owner.asks.add(id);
        const answer = owner.host.ask(asked).finally(() => owner.asks.delete(id));
        this.#reply(id, answer);
    }

    #askOutside(asked: EmbeddedRequest): Promise<Params> {
        // No call of this client will ever be able to carry it.
        if (missingCapability(asked, this.#client.capabilities) !== undefined) return Promise.reject(notSupported());
        return this.#outside.wait(asked);
    }

    /**
     * Whose call an ask belongs to. Where it cannot be known, two calls are never guessed between: a user would be asked
     * about another one's call.
     */
    #ownerOf(
        method: string,
        origin: MessageId | undefined
    ): (Pending & { readonly host: CallHost }) | 'outside' | BridgeError {
        const named = origin === undefined ? undefined : this.#pending.get(origin);
        if (named !== undefined) return withHost(named) ?? noCarrier(method, named.method);
        if (origin !== undefined) {
            return new BridgeError('no_carrier', `${method} was sent for a call that is over: nobody can be asked.`);
        }
        if (this.#carriers > 0 && method === 'roots/list') return 'outside';
        const calls = [...this.#pending.values()].flatMap(pending => withHost(pending) ?? []);
        const [only, second] = calls;
        if (only === undefined) return 'outside';
        if (second === undefined) return only;
        return new BridgeError(
            'ambiguous_ask',
            `${method} came while ${calls.length} calls were open, and nothing tells which of them asks. Where a handler ` +
                `hands work to a queue, a pool or an emitter, bind the function with AsyncResource.bind.`
        );
    }

    #reply(id: MessageId, answer: Promise<Params>): void {
        answer.then(
            result => this.#respond({ jsonrpc: '2.0', id, result }),
            (error: unknown) => this.#respond({ jsonrpc: '2.0', id, error: rpcError(error) })
        );
    }

    #respond(response: RpcMessage): void {
        if (this.#ended === undefined) this.#link.send(response);
    }

    /** A notification of the old server. */
    #heed(notification: RpcNotification, origin: MessageId | undefined): void {
        const { method, params = {} } = notification;
        switch (method) {
            case 'notifications/progress':
                this.#pending.get(params['progressToken'] as MessageId)?.host?.progress(params);
                return;
            case 'notifications/message':
                this.#hostOf(origin)?.log(params);
                return;
            case 'notifications/elicitation/complete':
                this.#events.notice(
                    'The server sent notifications/elicitation/complete, which revision 2026-07-28 does not have: ' +
                        'clients call again instead. It is dropped.'
                );
                return;
            case 'notifications/resources/updated':
            case 'notifications/resources/list_changed':
            case 'notifications/tools/list_changed':
            case 'notifications/prompts/list_changed':
                this.#events.changed(notification);
        }
    }

    /** Whose log message this is; one that may belong to either of two calls is shown to neither. */
    #hostOf(origin: MessageId | undefined): CallHost | undefined {
        if (origin !== undefined) return this.#pending.get(origin)?.host;
        const hosts = [...this.#pending.values()].flatMap(({ host }) => host ?? []);
        return hosts.length === 1 ? hosts[0] : undefined;
    }

    #end(how: string): void {
        if (this.#ended !== undefined) return;
        this.#ended = how;
        const open = [...this.#pending.values()];
        this.#pending.clear();
        this.#outside.refuse(ended(how));
        for (const { reject } of open) reject(ended(how));
        this.#events.closed(how);
    }
}

/** What a 2025-era client answers to what it did not declare. */
export function notSupported(): OldServerError {
    return new OldServerError({ code: -32601, message: 'Method not found' });
}

function withHost(pending: Pending): (Pending & { readonly host: CallHost }) | undefined {
    return pending.host === undefined || pending.cancelled ? undefined : { ...pending, host: pending.host };
}

function noCarrier(method: string, within: string): BridgeError {
    return new BridgeError(
        'no_carrier',
        `${method} was sent while serving ${within}: on protocol revision 2026-07-28 only tools/call, prompts/get and ` +
            `resources/read may require input.`
    );
}

function ended(how: string): BridgeError {
    return new BridgeError('ended', `The server ${how} before it answered. Call again.`);
}

/** The question without what only 2025-11-25 knows of it: ids of flows, tasks, tokens. */
function embedded({ method, params = {} }: RpcRequest): EmbeddedRequest {
    if (method === 'roots/list') return { method };
    const { _meta: meta, task: _task, ...asked } = params;
    const rest = isRecord(meta)
        ? Object.entries(meta).filter(([name]) => name !== 'progressToken' && !name.endsWith('/related-task'))
        : [];
    return {
        method,
        params: {
            ...asked,
            ...(rest.length > 0 && { _meta: Object.fromEntries(rest) }),
            ...(method === 'elicitation/create' && { mode: asked['mode'] ?? 'form' })
        }
    };
}

function rpcError(error: unknown): RpcError {
    const { message } = asError(error);
    const { code, data } = error as { code?: unknown; data?: unknown };
    return { code: typeof code === 'number' ? code : -32603, message, ...(data !== undefined && { data }) };
}

function isInitialized(result: unknown): result is Initialized {
    return isRecord(result) && isRecord(result['serverInfo']) && typeof result['serverInfo']['name'] === 'string';
}

function asError(value: unknown): Error {
    return value instanceof Error ? value : new Error(String(value));
}

function ignore(): void {}

function delay(ms: number): Promise<void> {
    return new Promise(resolve => setTimeout(resolve, ms));
}

/** Rejects with `late`, or resolves with nothing if there is none, when `ms` have passed. */
function inTime<T>(promise: Promise<T>, ms: number, late: Error): Promise<T>;
function inTime(promise: Promise<void>, ms: number, late: undefined): Promise<void>;
async function inTime<T>(promise: Promise<T>, ms: number, late: Error | undefined): Promise<T | void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve, reject) => {
        timer = setTimeout(() => (late === undefined ? resolve() : reject(late)), ms);
    });
    return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}
