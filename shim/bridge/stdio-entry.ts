import {
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    PROTOCOL_VERSION_META_KEY
} from '@modelcontextprotocol/server';
import type {
    ClientCapabilities,
    Implementation,
    JSONRPCMessage,
    Server,
    Transport
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';

import { randomSecret } from '../state/key-ring.js';
import { Bridge } from './bridge.js';
import type { Caller, Lease } from './callers.js';
import { BridgeError, errorOf } from './errors.js';
import { isRecord } from './json-rpc.js';
import type { Params, RpcNotification } from './json-rpc.js';
import type { Link, OpenLink } from './link/link.js';
import type { BridgeOptions } from './options.js';
import { passThrough } from './pass-through.js';
import { Subscriptions } from './subscriptions.js';
import { asError } from './waiting.js';

export interface StdioBridgeOptions extends Omit<BridgeOptions, 'principal' | 'anonymous' | 'maxCallers'> {
    /** @default the stdin and stdout of this process */
    readonly transport?: Transport | undefined;
}

export interface StdioBridgeHandle {
    /** Settles when the connection is over, whoever has ended it, and all that belonged to it has been closed. */
    readonly closed: Promise<void>;
    /** Ends the calls that wait in memory and what serves them, and closes the connection. */
    close(): Promise<void>;
}

/** First id towards a 2025-era client's own server. It is not used: the client brings its ids along. */
const NO_ID = 0;

/**
 * Serves one connection over stdio: 2026-07-28 through a front, and 2025-era clients by an old server that they have to
 * themselves. Which of them it is, the first messages say (basic/lifecycle, "Backward compatibility").
 */
export class StdioEntry implements StdioBridgeHandle {
    readonly #bridge: Bridge;
    readonly #open: OpenLink;
    readonly #wire: Transport;
    readonly #subscriptions: Subscriptions;
    #front: { readonly channel: Transport; readonly handle: StdioServerHandle } | undefined;
    #server: Server | undefined;
    /** Whom the first request is from: what follows is mostly the same client's. */
    #opening = NOBODY;
    #lease: Lease | undefined;
    #era: 'open' | 'modern' | 'legacy' = 'open';
    #legacy: Link | undefined;
    #closing: Promise<void> | undefined;
    #settle: (() => void) | undefined;
    readonly closed = new Promise<void>(resolve => (this.#settle = resolve));

    constructor(open: OpenLink, options: StdioBridgeOptions) {
        this.#open = open;
        this.#wire = options.transport ?? new StdioServerTransport();
        this.#bridge = new Bridge(
            open,
            // The state never has to be opened by another process: it is this one that the client is connected to.
            { ...options, key: options.key ?? (options.keys ? undefined : randomSecret()), anonymous: 'share' },
            notification => this.#changed(notification)
        );
        this.#subscriptions = new Subscriptions();
        this.#wire.onmessage = message => this.#receive(message);
        this.#wire.onclose = () => void this.close();
        this.#wire.start().catch((error: unknown) => {
            this.#bridge.warn(asError(error).message);
            void this.close();
        });
    }

    close(): Promise<void> {
        this.#closing ??= this.#close();
        return this.#closing;
    }

    async #close(): Promise<void> {
        this.#subscriptions.clear();
        this.#lease?.release();
        await this.#front?.handle.close();
        await this.#legacy?.close();
        await this.#bridge.close();
        await this.#wire.close().catch(() => undefined);
        this.#settle?.();
    }

    #receive(message: JSONRPCMessage): void {
        const envelope = envelopeOf(message);
        if (this.#era === 'open') {
            if (envelope === undefined && 'method' in message) {
                void this.#serveLegacy(message);
                return;
            }
            if ('method' in message && 'id' in message && message.method !== 'server/discover') this.#era = 'modern';
        }
        if (envelope !== undefined && this.#lease === undefined) {
            this.#opening = callerOf(envelope);
            this.#lease = this.#bridge.lease(this.#opening);
        }
        this.#watchSubscriptions(message);
        this.#front ??= this.#openFront();
        this.#front.channel.onmessage?.(message);
    }

    #openFront() {
        let over = false;
        let failure: Error | undefined;
        const channel: Transport = {
            start: () => Promise.resolve(),
            send: message =>
                over ? Promise.resolve() : this.#wire.send(failure ? explained(message, failure) : message),
            close: () => {
                over = true;
                channel.onclose?.();
                return Promise.resolve();
            }
        };
        const handle = serveStdio(
            async () => {
                failure = undefined;
                try {
                    this.#server = await this.#bridge.front(this.#opening, undefined);
                } catch (error) {
                    failure = asError(error);
                    throw error;
                }
                return this.#server;
            },
            { transport: channel, legacy: 'reject', onerror: error => this.#bridge.warn(error.message) }
        );
        return { channel, handle };
    }

    /** A client that had probed for 2026-07-28 falls back here as well. */
    async #serveLegacy(first: JSONRPCMessage): Promise<void> {
        this.#era = 'legacy';
        const probe = this.#front;
        this.#front = undefined;
        const early = [first];
        this.#wire.onmessage = message => early.push(message);
        await probe?.handle.close();
        this.#lease?.release();
        const wire: Transport = {
            start: () => Promise.resolve(),
            send: message => this.#wire.send(message),
            close: () => this.close()
        };
        try {
            this.#legacy = this.#open({}, NO_ID);
            await passThrough(wire, this.#legacy, this.#bridge.warn);
        } catch (error) {
            await this.#refuse(first, asError(error));
            return;
        }
        for (const message of early) wire.onmessage?.(message);
        this.#wire.onmessage = message => wire.onmessage?.(message);
    }

    async #refuse(first: JSONRPCMessage, { message }: Error): Promise<void> {
        this.#bridge.warn(`The server could not be started: ${message}`);
        if ('id' in first && first.id !== undefined) {
            const error = errorOf(new BridgeError('not_started', `The server could not be started: ${message}`));
            await this.#wire.send({ jsonrpc: '2.0', id: first.id, error });
        }
        await this.close();
    }

    /** The SDK takes subscriptions by itself, and tells nobody which resources they are for. */
    #watchSubscriptions(message: JSONRPCMessage): void {
        if (!('method' in message)) return;
        const { method, params } = message;
        const workers = this.#lease?.workers;
        if (method === 'subscriptions/listen' && 'id' in message && workers !== undefined) {
            this.#subscriptions.open(message.id, params, workers);
        }
        if (method === 'notifications/cancelled') this.#subscriptions.close(params?.['requestId']);
    }

    #changed(notification: RpcNotification): void {
        this.#server?.notification(notification).catch(() => undefined);
    }
}

/** The SDK says no more than that there was an internal error, and only to itself which. */
function explained(message: JSONRPCMessage, failure: Error): JSONRPCMessage {
    return 'error' in message ? { ...message, error: errorOf(failure) } : message;
}

const NOBODY: Caller = { principal: undefined, capabilities: undefined, clientInfo: undefined };

function envelopeOf(message: JSONRPCMessage): Params | undefined {
    if (!('method' in message)) return undefined;
    const meta: unknown = message.params?.['_meta'];
    return isRecord(meta) && typeof meta[PROTOCOL_VERSION_META_KEY] === 'string' ? meta : undefined;
}

function callerOf(envelope: Params): Caller {
    return {
        principal: undefined,
        capabilities: envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined,
        clientInfo: envelope[CLIENT_INFO_META_KEY] as Implementation | undefined
    };
}
