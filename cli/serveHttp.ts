import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
    hostHeaderValidationResponse,
    localhostAllowedHostnames,
    localhostAllowedOrigins,
    originValidationResponse
} from '@modelcontextprotocol/server';
import type { HttpBridgeHandler } from '../shim/bridge/http-entry.js';

/** Only this machine: who serves others puts a proxy in front of it, which knows who they are. */
const HOST = '127.0.0.1';

const PATH = '/mcp';

export interface HttpServing {
    readonly url: string;
    /** Settles when nothing is listened for any more. */
    readonly closed: Promise<unknown>;
    close(): Promise<void>;
}

/**
 * Listens on the loopback interface. Requests whose Host or Origin is another are refused, so that no page in a browser
 * can reach the server by a name of its own (basic/transports, "Security Warning").
 *
 * @param port 0 for any that is free.
 * @throws Error as `listen` does, as for a port that is taken.
 */
export async function serveHttp(handler: HttpBridgeHandler, port: number): Promise<HttpServing> {
    const serve = toNodeHandler({
        fetch: async (request, options) =>
            hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
            originValidationResponse(request, localhostAllowedOrigins()) ??
            (new URL(request.url).pathname === PATH
                ? handler.fetch(request, options)
                : new Response(null, { status: 404 }))
    });
    // The adapter's types do not say that the members of an IncomingMessage may be undefined, which it copes with.
    const server = createServer((request, response) => void serve(request as Parameters<typeof serve>[0], response));
    const { port: taken } = await listen(server, port);
    return {
        url: `http://${HOST}:${taken}${PATH}`,
        closed: once(server, 'close'),
        close: async () => {
            await handler.close();
            server.close();
            server.closeAllConnections();
        }
    };
}

function listen(server: Server, port: number): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, HOST, () => resolve(server.address() as AddressInfo));
    });
}
