import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';

import { speaksModern } from '../../../shim/register/native-route.js';

async function routeOf(listener: RequestListener): Promise<URL> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

it('a route speaks 2026-07-28 if it says so', async () => {
    const result = { supportedVersions: ['2025-11-25', '2026-07-28'] };
    const url = await routeOf((_, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result })));
    expect(await speaksModern(url, {})).toBe(true);
});

it.each([400, 404, 405])('a route that answers %d does not', async status => {
    const url = await routeOf((_, response) => response.writeHead(status).end('{}'));
    expect(await speaksModern(url, {})).toBe(false);
});

it.each([401, 403, 429, 500, 503])('one that answers %d has not said it, and is asked again', async status => {
    const url = await routeOf((_, response) => response.writeHead(status).end());
    expect(await speaksModern(url, {})).toBeUndefined();
});

it('one that ends the connection has not said it', async () => {
    const url = await routeOf(request => request.socket.destroy());
    expect(await speaksModern(url, {})).toBeUndefined();
});

it('is asked with what its client is known by', async () => {
    const seen: unknown[] = [];
    const url = await routeOf(({ headers }, response) => {
        seen.push(headers.authorization);
        response.end('{}');
    });
    expect(await speaksModern(url, { authorization: 'Bearer a' })).toBe(false);
    expect(seen).toEqual(['Bearer a']);
});
