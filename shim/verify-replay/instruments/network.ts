import dgram from 'node:dgram';
import { subscribe } from 'node:diagnostics_channel';
import http from 'node:http';
import https from 'node:https';
import { Socket } from 'node:net';

import type { Sighting, Watch } from '../watch.js';
import { instrument, whenOutermost } from './wrap.js';

/** Methods that ask and change nothing (RFC 9110, section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** `fetch`, clients of `node:http` and `node:https`, and sockets below other clients, as those of databases. */
export function instrumentNetwork(watch: Watch): void {
    instrument(globalThis, 'fetch', watch, ([input, init]) =>
        request('fetch', methodOf(init) ?? methodOf(input), input instanceof Request ? input.url : String(input))
    );
    for (const [scheme, client] of [
        ['http', http],
        ['https', https]
    ] as const) {
        for (const name of ['request', 'get']) {
            instrument(client, name, watch, args => describeClientRequest(scheme, name, args));
        }
    }
    subscribe('undici:request:create', function look(message) {
        whenOutermost(() => watch.sawOfPackage(describeUndici(message), look));
    });
    instrument(Socket.prototype, 'connect', watch, args => ({
        kind: 'effect',
        kindInPackage: 'traffic',
        api: 'net.connect',
        target: addressOf(args)
    }));
    instrument(Socket.prototype, 'write', watch, (_args, self) => describeWrite('write', self as Socket));
    instrument(Socket.prototype, 'end', watch, ([data], self) =>
        data == null || typeof data === 'function' ? undefined : describeWrite('end', self as Socket)
    );
    instrument(dgram.Socket.prototype, 'send', watch, () => ({ kind: 'effect', api: 'dgram.send' }));
}

function request(api: string, method: string | undefined, address: string): Sighting {
    const name = (method ?? 'GET').toUpperCase();
    return { kind: SAFE_METHODS.has(name) ? 'read' : 'effect', api, target: `${name} ${withoutQuery(address)}` };
}

/** What the package of that name sends. So does Node's own copy of it: `fetch`, which is seen where it is called. */
function describeUndici(message: unknown): Sighting {
    const { method, origin, path } = (message as { request: Record<string, unknown> }).request;
    return request('undici.request', String(method), `${String(origin)}${String(path)}`);
}

/** Of `(url, options?, …)` or `(options, …)`. */
function describeClientRequest(scheme: string, name: string, [first, second]: readonly unknown[]): Sighting {
    const api = `${scheme}.${name}`;
    const address = typeof first === 'string' || first instanceof URL ? String(first) : undefined;
    const options = ((address === undefined ? first : second) ?? {}) as http.RequestOptions;
    return request(api, methodOf(options), address ?? addressOfOptions(scheme, options));
}

function addressOfOptions(scheme: string, { hostname, host, port, path }: http.RequestOptions): string {
    return `${scheme}://${hostname ?? host ?? 'localhost'}${port == null ? '' : `:${port}`}${path ?? '/'}`;
}

function methodOf(value: unknown): string | undefined {
    if (typeof value !== 'object' || value === null || !('method' in value)) return undefined;
    return typeof value.method === 'string' ? value.method : undefined;
}

/** Queries carry secrets. */
function withoutQuery(address: string): string {
    return address.replace(/[?#].*$/, '').replace(/\/\/[^/@]*@/, '//');
}

/** A socket is told its address as options, or as `(port, host)` or a path; Node's own callers wrap them in an array. */
function addressOf(args: readonly unknown[]): string | undefined {
    const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
    if (typeof first === 'object' && first !== null) {
        const { host, port, path } = first as { host?: string; port?: number; path?: string };
        return path ?? `${host ?? 'localhost'}:${port}`;
    }
    if (typeof first === 'string' && !/^\d+$/.test(first)) return first;
    return `${typeof second === 'string' ? second : 'localhost'}:${String(first)}`;
}

/** Something goes out on a connection that was open before, as that of a pool. Requests of `node:http` are seen as such. */
function describeWrite(name: string, socket: Socket): Sighting | undefined {
    const { remoteAddress, remotePort } = socket;
    // Node says in no other way whose connection it is.
    const { server, _httpMessage: message } = socket as { server?: unknown; _httpMessage?: unknown };
    if (remoteAddress === undefined || (server ?? message ?? undefined) !== undefined) return undefined;
    return { kind: 'traffic', api: `net.Socket.${name}`, target: `${remoteAddress}:${remotePort}` };
}
