import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

import { isRecord } from './json-rpc.js';
import type { OpenLink } from './link/link.js';
import type { RequestOrigin } from './options.js';
import { passThrough } from './pass-through.js';

interface LegacySession {
    readonly transport: WebStandardStreamableHTTPServerTransport;
    readonly principal: string | undefined;
    usedAt: number;
}

/** First id towards a 2025-era client's own server. It is not used: the client brings its ids along. */
const NO_ID = 0;

/**
 * 2025-era clients over Streamable HTTP. Each session has an old server to itself, and what they say to each other goes
 * through as it is: only so can the server ask its client as it always did.
 */
export class LegacySessions {
    readonly #open: OpenLink;
    readonly #limit: number;
    readonly #idleMs: number;
    readonly #notice: (text: string) => void;
    /** The one that was used last comes last. */
    readonly #sessions = new Map<string, LegacySession>();

    /** @param limit how many there may be; the one that has been idle for longest makes room. */
    constructor(open: OpenLink, limit: number, idleMs: number, notice: (text: string) => void) {
        this.#open = open;
        this.#limit = limit;
        this.#idleMs = idleMs;
        this.#notice = notice;
    }

    async fetch(
        request: Request,
        body: unknown,
        origin: RequestOrigin,
        principal: string | undefined
    ): Promise<Response> {
        const { authInfo } = origin;
        const options = { ...(authInfo && { authInfo }), ...(body !== undefined && { parsedBody: body }) };
        const id = request.headers.get('mcp-session-id');
        if (id !== null) {
            const session = this.#sessions.get(id);
            // A session of somebody else is none.
            if (session?.principal !== principal || session === undefined)
                return rpcError(404, -32001, 'Session not found');
            this.#use(id, session);
            return session.transport.handleRequest(request, options);
        }
        if (!isInitialize(body)) {
            return rpcError(400, -32000, 'Bad Request: no Mcp-Session-Id, and only initialize may go without');
        }
        const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
            sessionIdGenerator: randomUUID,
            onsessioninitialized: session => this.#use(session, { transport, principal, usedAt: 0 })
        });
        await passThrough(transport, this.#open({ authInfo, request }, NO_ID), this.#notice);
        const forget = transport.onclose;
        transport.onclose = () => {
            if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
            forget?.();
        };
        return transport.handleRequest(request, options);
    }

    async close(): Promise<void> {
        const sessions = [...this.#sessions.values()];
        this.#sessions.clear();
        await Promise.all(sessions.map(({ transport }) => transport.close()));
    }

    #use(id: string, session: LegacySession): void {
        const now = Date.now();
        session.usedAt = now;
        this.#sessions.delete(id);
        this.#sessions.set(id, session);
        for (const [other, { transport, usedAt }] of this.#sessions) {
            if (this.#sessions.size <= this.#limit && usedAt + this.#idleMs > now) break;
            if (other === id) break;
            this.#sessions.delete(other);
            void transport.close();
        }
    }
}

function isInitialize(body: unknown): boolean {
    const messages: unknown[] = Array.isArray(body) ? body : [body];
    return messages.some(message => isRecord(message) && message['method'] === 'initialize');
}

export function rpcError(status: number, code: number, message: string): Response {
    return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
