import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FetchLike } from '@modelcontextprotocol/client';

import { isRecord, isRpcRequest, isRpcResponse } from '../json-rpc.js';
import type { MessageId, RpcMessage } from '../json-rpc.js';
import { asError, inTime } from '../waiting.js';
import type { Link, LinkEvents } from './link.js';

/** How long an old server may take to end a session, in milliseconds. */
const END_MS = 1000;

/**
 * A session of an old server over Streamable HTTP. What the server asks by `server.elicitInput` comes on a stream of the
 * session and not of the call, so a session has one call at a time (DESIGN rule 21).
 */
export class UrlLink implements Link {
    readonly traced = false;
    readonly #url: URL;
    readonly #headers: Readonly<Record<string, string>>;
    readonly #handshake: MessageId;
    readonly #fetch: FetchLike | undefined;
    #transport: StreamableHTTPClientTransport | undefined;
    #events: LinkEvents | undefined;
    #closed = false;

    /**
     * @param headers go along with every request, for a server that wants a token.
     * @param firstId id of the `initialize` request, whose answer names the revision for the headers of the others.
     * @param fetch sends the requests; the global one, if absent.
     */
    constructor(url: URL, headers: Readonly<Record<string, string>>, firstId: MessageId, fetch?: FetchLike) {
        this.#url = url;
        this.#headers = headers;
        this.#handshake = firstId;
        this.#fetch = fetch;
    }

    async start(events: LinkEvents): Promise<void> {
        const transport = new StreamableHTTPClientTransport(this.#url, {
            requestInit: { headers: this.#headers },
            ...(this.#fetch && { fetch: this.#fetch })
        });
        this.#transport = transport;
        this.#events = events;
        transport.onmessage = message => this.#receive(message as RpcMessage, events);
        transport.onerror = error => events.notice(`${this.#url.href}: ${error.message}`);
        await transport.start();
    }

    send(message: RpcMessage): void {
        this.#transport?.send(message).catch((error: unknown) => {
            const { message: reason } = asError(error);
            if (isRpcRequest(message)) {
                const { id } = message;
                this.#events?.message({ jsonrpc: '2.0', id, error: { code: -32603, message: reason } });
            }
            // A session that the server does not know any more does not come back.
            if (/\b404\b|session not found/i.test(reason)) this.#end(`has lost the session: ${reason}`);
        });
    }

    /** The session is left with the request in it, and another one is begun. */
    abandon(): boolean {
        return false;
    }

    async close(): Promise<void> {
        const transport = this.#transport;
        this.#transport = undefined;
        if (transport === undefined) return;
        await inTime(transport.terminateSession(), END_MS, () => new Error('late')).catch(() => undefined);
        await transport.close();
        this.#end('was closed');
    }

    #receive(message: RpcMessage, events: LinkEvents): void {
        if (isRpcResponse(message) && message.id === this.#handshake && 'result' in message) {
            const { protocolVersion } = message.result;
            if (isRecord(message.result) && typeof protocolVersion === 'string') {
                this.#transport?.setProtocolVersion(protocolVersion);
            }
        }
        events.message(message);
    }

    #end(how: string): void {
        if (this.#closed) return;
        this.#closed = true;
        this.#events?.closed(how);
    }
}
