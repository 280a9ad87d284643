import type { Call, CallContent } from './call.js';
import { BridgeError, OldServerError } from './errors.js';
import { isRecord, isRpcRequest, isRpcResponse } from './json-rpc.js';
import type {
    ClientFacts,
    Initialized,
    MessageId,
    Params,
    RpcMessage,
    RpcNotification,
    RpcResponse
} from './json-rpc.js';
import type { Link, LinkEvents, RequestFacts } from './link/link.js';
import { noCarrier, OpenRequest, OpenRequests } from './open-requests.js';
import { ServerAsks } from './server-asks.js';
import { asError, inTime } from './waiting.js';

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
    readonly #asks: ServerAsks;
    readonly #handshake: MessageId;
    /** Ids are numbers below 2^31, which every JSON-RPC implementation can echo. */
    #nextId: number;
    #initialized: Initialized | undefined;
    #ended: string | undefined;
    #stuck = false;

    private constructor(link: Link, client: ClientFacts, events: OldServerEvents, firstId: number) {
        this.#link = link;
        this.#client = client;
        this.#events = events;
        this.#handshake = firstId;
        this.#nextId = firstId;
        this.#asks = new ServerAsks({
            open: this.#open,
            client,
            respond: response => this.#respond(response),
            notice: text => events.notice(text),
            inOrder: () => this.#inOrder(),
            rootsChanged: () => this.notify('notifications/roots/list_changed')
        });
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
        const late = setTimeout(() => this.#asks.refuse(noCarrier(method)), NO_CARRIER_MS);
        try {
            signal?.throwIfAborted();
            return await new Promise((resolve, reject) => {
                const id = this.#send(new OpenRequest(method, { resolve, reject }), params, facts);
                signal?.addEventListener('abort', () => this.#cancel(id, asError(signal.reason)), { once: true });
            });
        } finally {
            clearTimeout(late);
        }
    }

    /**
     * Sends a request that the client may be asked within, when what the server has asked outside of any request has its
     * answers. The call receives the result.
     */
    call(call: Call, { params, facts }: CallContent): void {
        const send = (): void => {
            if (call.cancelled !== undefined) call.reject(call.cancelled);
            else this.#send(new OpenRequest(call.method, call, call), params, facts);
        };
        this.#asks
            .goBefore(call)
            .then(send)
            .catch((error: unknown) => call.reject(asError(error)));
    }

    /** The client does not want the result any more. */
    cancel(call: Call, reason: Error): void {
        const [id] = this.#open.of(call) ?? [];
        if (id !== undefined) this.#cancel(id, reason);
    }

    /** Gives up a call whose asks will not be answered. The server may not be usable any more: see {@link ended}. */
    abandon(call: Call): void {
        const [id, request] = this.#open.of(call) ?? [];
        if (id === undefined || request === undefined) return;
        this.#open.take(id);
        if (!this.#link.abandon(id, request.asks)) this.#stuck = true;
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
        else if (isRpcRequest(message)) this.#asks.receive(message, origin === this.#handshake ? undefined : origin);
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
        const result = await inTime(this.#ask('initialize', params), HANDSHAKE_MS, () => {
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

    /** Resolves when what the server sends at once in reply to what it was sent has come. */
    async #inOrder(): Promise<void> {
        const late = (): Error => new Error('no pong');
        await inTime(this.#ask('ping'), PING_MS, late).catch(() => undefined);
    }

    #ask(method: string, params?: Params): Promise<Params> {
        return new Promise((resolve, reject) => {
            this.#send(new OpenRequest(method, { resolve, reject }), params);
        });
    }

    #send(request: OpenRequest, params?: Params, facts?: RequestFacts): MessageId {
        const id = this.#nextId++;
        if (this.#ended !== undefined) {
            request.reject(ended(this.#ended));
            return id;
        }
        this.#open.add(id, request);
        const sent = params && withToken(params, id);
        this.#link.send({ jsonrpc: '2.0', id, method: request.method, ...(sent && { params: sent }) }, facts);
        return id;
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

    #respond(response: RpcResponse): void {
        if (this.#ended === undefined) this.#link.send(response);
    }

    /** A notification of the old server. */
    #heed(notification: RpcNotification, origin: MessageId | undefined): void {
        const { method, params = {} } = notification;
        switch (method) {
            case 'notifications/progress':
                this.#open.get(params['progressToken'] as MessageId)?.call?.progress(params);
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
        this.#asks.refuse(ended(how));
        this.#open.rejectAll(ended(how));
        this.#events.closed(how);
    }
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
