import { createHash } from 'node:crypto';
import { Server } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';

import { HttpEntry } from '../bridge/http-entry.js';
import { UrlLink } from '../bridge/link/url-link.js';
import { isProbe, speaksModern } from './native-route.js';
import type { RegisterOptions } from './options.js';

type Emit = (this: Server, event: string | symbol, ...args: unknown[]) => boolean;
type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The first revision that the script does not know. Revisions are dates, so they can be compared as texts. */
const FIRST_MODERN = '2026-07-28';

/**
 * Takes the requests of 2026-07-28 at every HTTP server of the process, and speaks to the script's own route as a client
 * of 2025: user code refuses what has no session before an SDK sees it (DESIGN rule 24). All other requests go where they
 * always went.
 */
export function tapHttp(options: RegisterOptions): void {
    const tapped = new WeakMap<Server, Map<string, Route>>();
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the server's own `this`
    const emit = Server.prototype.emit as Emit;
    Server.prototype.emit = function (this: Server, event: string | symbol, ...args: unknown[]): boolean {
        if (event !== 'request' || !isModern(args[0] as IncomingMessage)) return emit.call(this, event, ...args);
        const [request, response] = args as [IncomingMessage, ServerResponse];
        const url = urlOf(this, request.url ?? '/');
        if (url === undefined) return emit.call(this, event, ...args);
        const routes = tapped.get(this) ?? new Map<string, Route>();
        tapped.set(this, routes);
        // A route that is not the server's refuses the handshake, and is forgotten.
        const route = routes.get(url.href) ?? new Route(url, options);
        if (routes.size < MAX_ROUTES) routes.set(url.href, route);
        route.take(request, response, () => emit.call(this, event, ...args));
        return true;
    };
}

/** Whoever calls paths that do not exist must not fill the memory. */
const MAX_ROUTES = 16;

function isModern({ method, headers }: IncomingMessage): boolean {
    const revision = headers['mcp-protocol-version'];
    return method === 'POST' && !isProbe(headers) && typeof revision === 'string' && revision >= FIRST_MODERN;
}

/** Where the script's route is reached from this machine; `undefined` on a pipe. */
function urlOf(server: Server, path: string): URL | undefined {
    const address = server.address();
    if (address === null || typeof address === 'string') return undefined;
    const anywhere = ['::', '0.0.0.0'].includes(address.address);
    const host = address.family === 'IPv6' && !anywhere ? `[${address.address}]` : address.address;
    return new URL(path, `http://${anywhere ? '127.0.0.1' : host}:${address.port}`);
}

/** One path of a server of the script. */
class Route {
    readonly #url: URL;
    readonly #serve: Serve;
    #isNative: Promise<boolean | undefined> | undefined;

    constructor(url: URL, options: RegisterOptions) {
        this.#url = url;
        this.#serve = routeTo(url, options);
    }

    /** @param leave gives the request to the script. */
    take(request: IncomingMessage, response: ServerResponse, leave: () => void): void {
        this.#answer(request, response, leave).catch((error: unknown) => {
            process.emitWarning(`${this.#url.href}: ${String(error)}`, 'McpMrtrWarning');
            response.destroy();
        });
    }

    async #answer(request: IncomingMessage, response: ServerResponse, leave: () => void): Promise<void> {
        this.#isNative ??= speaksModern(this.#url, forwarded(new Headers(textsOf(request))));
        const isNative = await this.#isNative;
        // Whom the script has refused to tell, it may tell the next one.
        if (isNative === undefined) this.#isNative = undefined;
        if (isNative) leave();
        else await this.#serve(request, response);
    }
}

function textsOf({ headers }: IncomingMessage): [string, string][] {
    return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : []
    );
}

function routeTo(url: URL, { key, mode, anonymous }: RegisterOptions): Serve {
    /** What the script has said to a request by HTTP alone, as that it wants a token. */
    const refusals = new WeakMap<Request, Response>();
    const entry = new HttpEntry(
        ({ request }, firstId) =>
            new UrlLink(url, request === undefined ? {} : forwarded(request.headers), firstId, async (input, init) => {
                const response = await fetch(input, init);
                if (request !== undefined && isRefusal(response)) refusals.set(request, response.clone());
                return response;
            }),
        {
            ...(key && { key }),
            ...(mode && { mode }),
            ...(anonymous && { anonymous }),
            principal: ({ request }) => request && credentialsOf(request.headers, anonymous === 'share')
        }
    );
    return toNodeHandler({
        fetch: async (request, options) => {
            const response = await entry.fetch(request, options);
            return response.ok ? response : (refusals.get(request) ?? response);
        }
    }) as Serve;
}

/** Answers that clients act on: to sign in, to wait. */
function isRefusal({ status }: Response): boolean {
    return status === 401 || status === 403 || status === 429;
}

/** Of this connection or this message, and not of who sends it; and what the link says itself. */
const OWN_HEADERS =
    /^(?:connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|content-.*|accept|accept-encoding|mcp-.*|last-event-id)$/;

function forwarded(headers: Headers): Record<string, string> {
    return Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.test(name)));
}

const CREDENTIALS = /auth|cookie|token|key|session|user|tenant|secret/;

/**
 * A name for whoever sends these headers: nobody else has the same, where the script tells its callers apart by what is
 * secret. What is checked beside it, Host and Origin, is part of the name, so that the script checks it for each.
 *
 * @param shared whether callers without credentials are one.
 */
function credentialsOf(headers: Headers, shared: boolean): string | undefined {
    const all = Object.entries(forwarded(headers));
    const secret = all.filter(([name]) => CREDENTIALS.test(name));
    if (secret.length === 0 && !shared) return undefined;
    const checked = all.filter(([name]) => name === 'host' || name === 'origin');
    return createHash('sha256')
        .update(JSON.stringify([...secret, ...checked].sort()))
        .digest('base64url');
}
