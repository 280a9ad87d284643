import { AsyncLocalStorage } from 'node:async_hooks';

import { isRpcRequest } from '../json-rpc.js';
import type { MessageId, RpcMessage } from '../json-rpc.js';
import type { Link, LinkEvents, RequestFacts } from './link.js';

/** An `McpServer` or a low-level `Server` of SDK v1 or v2 that is not connected, whichever copy of the SDK it is from. */
export interface ConnectableServer {
    connect(transport: never): Promise<void>;
    close(): Promise<void>;
}

/** What the transports of both SDKs have in common: the server of either can be connected to this. */
interface ServerTransport {
    start(): Promise<void>;
    send(message: unknown, options?: { relatedRequestId?: MessageId | undefined }): Promise<void>;
    close(): Promise<void>;
    onmessage?: (message: unknown, extra?: unknown) => void;
    onclose?: () => void;
    readonly sessionId?: string;
}

const ADDRESS = Symbol('address');

/** A parsed address is larger than all else that a call which waits keeps of its request, and few handlers read it. */
const READ_ADDRESS: PropertyDescriptor & ThisType<{ readonly [ADDRESS]: string }> = {
    enumerable: true,
    get() {
        return new URL(this[ADDRESS]);
    }
};

/** What `Protocol` keeps, under the names that it has in all of SDK 1.13 to 1.32 and 2.x. */
interface ProtocolInternals {
    _setupTimeout?: (...args: never[]) => void;
    _responseHandlers?: Map<unknown, unknown>;
    _requestHandlerAbortControllers?: Map<unknown, unknown>;
}

/**
 * An old server in this process, connected to a transport of ours: both SDKs send every request to their client through
 * it. Which call asks is known by the async context that its request was delivered in, for `server.elicitInput` does
 * not say it (DESIGN rule 21).
 */
export class MemoryLink implements Link {
    readonly traced = true;
    readonly #make: () => ConnectableServer | Promise<ConnectableServer>;
    readonly #sessionId: string | undefined;
    readonly #serving = new AsyncLocalStorage<MessageId | undefined>();
    #server: ConnectableServer | undefined;
    #transport: ServerTransport | undefined;

    /** @param sessionId keys what a server over HTTP keeps by session; over stdio there is none. */
    constructor(make: () => ConnectableServer | Promise<ConnectableServer>, sessionId: string | undefined) {
        this.#make = make;
        this.#sessionId = sessionId;
    }

    async start(events: LinkEvents): Promise<void> {
        const server = await this.#make();
        this.#server = server;
        let closed = false;
        const transport: ServerTransport = {
            ...(this.#sessionId !== undefined && { sessionId: this.#sessionId }),
            start: () => Promise.resolve(),
            send: (message, options) => {
                if (!closed)
                    events.message(asOnTheWire(message), options?.relatedRequestId ?? this.#serving.getStore());
                return Promise.resolve();
            },
            close: () => {
                if (closed) return Promise.resolve();
                closed = true;
                transport.onclose?.();
                events.closed('was closed');
                return Promise.resolve();
            }
        };
        this.#transport = transport;
        endureSlowPeople(server, events);
        await server.connect(transport as never);
    }

    send(message: RpcMessage, facts: RequestFacts = {}): void {
        const { authInfo, request } = facts;
        const extra = { ...(authInfo && { authInfo }), ...(request && this.#requestFor(request)) };
        this.#serving.run(isRpcRequest(message) ? message.id : undefined, () =>
            this.#transport?.onmessage?.(message, extra)
        );
    }

    /** v2 takes the request itself; v1 plain data of it, and would keep the request for as long as a call waits. */
    #requestFor(request: Request): object {
        if (isV2(this.#server)) return { request };
        const requestInfo = { headers: Object.fromEntries(request.headers), [ADDRESS]: request.url };
        return { requestInfo: Object.defineProperty(requestInfo, 'url', READ_ADDRESS) };
    }

    abandon(request: MessageId, asks: readonly MessageId[]): boolean {
        const { _responseHandlers: waiting, _requestHandlerAbortControllers: running } = internalsOf(this.#server);
        if (!(waiting instanceof Map) || !(running instanceof Map)) return false;
        for (const ask of asks) waiting.delete(ask);
        // Later: a cancellation of the round that is on its way has to find it.
        setImmediate(() => running.delete(request));
        return true;
    }

    async close(): Promise<void> {
        await this.#server?.close();
        await this.#transport?.close();
    }
}

/**
 * Requests of the SDKs to their client time out after 60 seconds, or what the code says, and a person may take longer.
 * How long a client may take is the bridge's to say, which answers every request in the end (DESIGN rule 12).
 */
function endureSlowPeople(server: ConnectableServer, events: LinkEvents): void {
    const internals = internalsOf(server);
    if (typeof internals._setupTimeout === 'function') internals._setupTimeout = () => undefined;
    else
        events.notice(
            'The time limits of this SDK cannot be lifted: who takes longer than 60 seconds to answer fails.'
        );
}

/** By a method that SDK v1 does not have. */
function isV2(server: object | undefined): boolean {
    return 'getNegotiatedProtocolVersion' in internalsOf(server);
}

function internalsOf(server: object | undefined): ProtocolInternals {
    return (server as { server?: ProtocolInternals } | undefined)?.server ?? server ?? {};
}

/** What a handler returns may have members that JSON does not, as dates: the client shall get what it always got. */
function asOnTheWire(message: unknown): RpcMessage {
    return JSON.parse(JSON.stringify(message)) as RpcMessage;
}
