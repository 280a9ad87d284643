import type { EmbeddedRequest } from '../exchange/question.js';
import { missingCapability } from '../handler/capabilities.js';
import { embeddedAsk, isAsk } from './embedded-ask.js';
import { BridgeError, errorOf, OldServerError } from './errors.js';
import { isRecord, isRpcRequest, isRpcResponse } from './json-rpc.js';
import type {
    ClientFacts,
    Initialized,
    MessageId,
    Params,
    RpcMessage,
    RpcNotification,
    RpcRequest,
    RpcResponse
} from './json-rpc.js';
import type { Link, LinkEvents, RequestFacts } from './link/link.js';
import { noCarrier, OpenRequests } from './open-requests.js';
import { OutsideAsks } from './outside-asks.js';
import { asError, delay, inTime } from './waiting.js';

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
    /** Something that the operator should read. */
    notice(text: string): void;
}

/** The revision that old servers are spoken to in. What they answer may be older still. */
const REVISION = '2025-11-25';

/** How long a handshake may take; a package may have to be downloaded first. In milliseconds. */
const HANDSHAKE_MS = 60_000;

/** How long an old server may take to answer a ping that only orders messages, in milliseconds. */
const PING_MS = 1000;

/** How long a server gets to take in what it asked outside of any request, before a call is started. Milliseconds. */
const DIGEST_MS = 50;

/** How long a request that nothing can be asked within may wait for what was asked meanwhile, in milliseconds. */
const NO_CARRIER_MS = 2000;

/** How long a request that was cancelled may go unanswered before its server counts as stuck, in milliseconds. */
const CANCEL_MS = 5000;

/**
 * A connection to one old server, which speaks 2025-11-25 over its {@link Link} and does not know of another revision
 * (DESIGN rule 20): handshake, requests, and what the server sends by itself.
 */
export class OldServer implements LinkEvents {
    readonly #link: Link;
    readonly #client: ClientFacts;
    readonly #events: OldServerEvents;
    readonly #open = new OpenRequests();
    readonly #outside = new OutsideAsks();
    readonly #handshake: MessageId;
    /** Ids are numbers below 2^31, which every JSON-RPC implementation can echo. */
    #nextId: number;
    #initialized: Initialized | undefined;
    #ended: string | undefined;
    #stuck = false;
    #fresh = true;
    /** Whether the server keeps the client's roots, and so has to be told when they may have changed. */
    #keepsRoots = false;
    /** Calls that are about to start and take over asks outside of requests. */
    #carriers = 0;

    private constructor(link: Link, client: ClientFacts, events: OldServerEvents, firstId: number) {
        this.#link = link;
        this.#client = client;
        this.#events = events;
        this.#handshake = firstId;
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
            if (error instanceof BridgeError && error.data.reason === 'not_started') throw error;
            throw new BridgeError('not_started', `The server could not be started: ${asError(error).message}`);
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
        return this.#open.size;
    }

    /** Whether it takes no request any more: it is gone, or stuck in one that was given up. */
    get ended(): boolean {
        return this.#ended !== undefined || this.#stuck;
    }

    /** Sends a request that nothing can be asked within. */
    async request(method: string, params?: Params, signal?: AbortSignal, facts?: RequestFacts): Promise<Params> {
        // A server that asks while it serves this, and whose link does not tell so, must not wait for a later call.
        const late = setTimeout(() => this.#outside.refuse(noCarrier(method)), NO_CARRIER_MS);
        return this.#send(method, params, undefined, signal, facts).finally(() => clearTimeout(late));
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
        for (const [id, { asks }] of this.#open.of(host)) {
            this.#open.take(id);
            if (!this.#link.abandon(id, [...asks])) this.#stuck = true;
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
        // What a server does because the handshake is over belongs to no request.
        else if (isRpcRequest(message)) this.#answer(message, origin === this.#handshake ? undefined : origin);
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
        const result = await inTime(this.#send('initialize', params), HANDSHAKE_MS, () => {
            return new BridgeError(
                'not_started',
                `The server did not answer initialize within ${HANDSHAKE_MS / 1000} seconds. Does its command start a ` +
                    `server of this transport, and nothing else?`
            );
        });
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
        const refresh = this.#keepsRoots && !fresh;
        if (refresh) this.notify('notifications/roots/list_changed');
        if (!fresh && !refresh && this.#outside.waiting === 0) return;
        await this.#inOrder();
        // What a server begins when the handshake is over may have to wait for a file before it asks for roots.
        if (fresh && this.#client.capabilities.roots !== undefined) await delay(DIGEST_MS);
        while (this.#outside.waiting > 0) {
            await this.#outside.carry(host);
            await this.#inOrder();
            await delay(DIGEST_MS);
        }
    }

    /** Resolves when what the server sends at once in reply to what it was sent has come. */
    async #inOrder(): Promise<void> {
        const late = (): Error => new Error('no pong');
        await inTime(this.#send('ping'), PING_MS, late).catch(() => undefined);
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
        let end: (() => void) | undefined;
        const over = new Promise<void>(resolve => (end = resolve));
        return new Promise<Params>((resolve, reject) => {
            this.#open.add(id, { method, host, resolve, reject, over, asks: new Set(), cancelled: false });
            signal?.addEventListener('abort', () => this.#cancel(id, asError(signal.reason)), { once: true });
            const sent = params && withToken(params, id);
            this.#link.send({ jsonrpc: '2.0', id, method, ...(sent && { params: sent }) }, facts);
        }).finally(() => end?.());
    }

    #settle(response: RpcResponse): void {
        const request = this.#open.take(response.id);
        if ('error' in response) request?.reject(new OldServerError(response.error));
        else request?.resolve(response.result);
    }

    #cancel(id: MessageId, reason: Error): void {
        const request = this.#open.get(id);
        if (request === undefined) return;
        request.cancelled = true;
        this.notify('notifications/cancelled', { requestId: id, reason: reason.message });
        request.reject(reason);
        // A server that has only one request at a time is lost with one that never ends.
        if (this.shared) return void this.#open.take(id);
        setTimeout(() => {
            if (this.#open.take(id) !== undefined) this.#stuck = true;
        }, CANCEL_MS).unref();
    }

    /** A request of the old server. */
    #answer(request: RpcRequest, origin: MessageId | undefined): void {
        const { id, method } = request;
        if (method === 'ping') this.#reply(id, Promise.resolve({}));
        else if (isAsk(method)) this.#reply(id, this.#ask(request, origin));
        else this.#reply(id, Promise.reject(notSupported()));
    }

    async #ask(request: RpcRequest, origin: MessageId | undefined): Promise<Params> {
        const asked = embeddedAsk(request);
        // While a call is held for them, roots that the server fetches by itself are what it is held for.
        const held = this.#carriers > 0 && asked.method === 'roots/list' && origin === undefined;
        const carrier = held ? 'none' : this.#open.carrierOf(asked.method, origin);
        if (carrier instanceof BridgeError) {
            this.#events.notice(carrier.message);
            throw carrier;
        }
        // Whoever fetches roots without saying for which call may keep them.
        if (asked.method === 'roots/list' && origin === undefined) this.#keepsRoots = true;
        if (carrier === 'none') return this.#askOutside(asked);
        carrier.asks.add(request.id);
        const answer = carrier.host.ask(asked).finally(() => carrier.asks.delete(request.id));
        if (asked.method !== 'roots/list' || origin !== undefined) return answer;
        // It need not have been this call that wanted them: if it is over first, they still have to come.
        return Promise.race([answer, carrier.over.then(() => this.#askOutside(asked))]);
    }

    #askOutside(asked: EmbeddedRequest): Promise<Params> {
        // No call of this client will ever be able to carry it.
        const refusal = missingCapability(asked, this.#client.capabilities);
        return refusal === undefined ? this.#outside.wait(asked) : Promise.reject(notSupported());
    }

    #reply(id: MessageId, answer: Promise<Params>): void {
        answer.then(
            result => this.#respond({ jsonrpc: '2.0', id, result }),
            (error: unknown) => this.#respond({ jsonrpc: '2.0', id, error: errorOf(error) })
        );
    }

    #respond(response: RpcResponse): void {
        if (this.#ended === undefined) this.#link.send(response);
    }

    /** A notification of the old server. */
    #heed(notification: RpcNotification, origin: MessageId | undefined): void {
        const { method, params = {} } = notification;
        switch (method) {
            case 'notifications/progress':
                this.#open.get(params['progressToken'] as MessageId)?.host?.progress(params);
                return;
            case 'notifications/message':
                this.#open.listenerOf(origin)?.log(params);
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

    #end(how: string): void {
        if (this.#ended !== undefined) return;
        this.#ended = how;
        this.#outside.refuse(ended(how));
        this.#open.rejectAll(ended(how));
        this.#events.closed(how);
    }
}

/** What a 2025-era client answers to what it did not declare. */
export function notSupported(): OldServerError {
    return new OldServerError({ code: -32601, message: 'Method not found' });
}

/** Progress is reported under the id of the request, which is known here whatever the client calls its own. */
function withToken(params: Params, id: MessageId): Params {
    const { _meta: meta } = params;
    if (!isRecord(meta) || !('progressToken' in meta)) return params;
    return { ...params, _meta: { ...meta, progressToken: id } };
}

function ended(how: string): BridgeError {
    return new BridgeError('ended', `The server ${how} before it answered. Call again.`);
}

function isInitialized(result: unknown): result is Initialized {
    return isRecord(result) && isRecord(result['serverInfo']) && typeof result['serverInfo']['name'] === 'string';
}
