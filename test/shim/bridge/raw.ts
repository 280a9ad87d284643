import type { AuthInfo } from '@modelcontextprotocol/client';

import type { HttpBridgeHandler } from '../../../shim/index.js';
import { ALL } from '../clients.js';

type Json = Record<string, unknown>;

let id = 0;

/** One `tools/call` as it goes over the wire, and what comes back: a result or an error. */
export async function rawCall(
    handler: HttpBridgeHandler,
    params: Json & { name: string },
    { authInfo, capabilities = ALL }: { authInfo?: AuthInfo; capabilities?: object } = {}
): Promise<Json> {
    const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': capabilities
    };
    const body = { jsonrpc: '2.0', id: ++id, method: 'tools/call', params: { ...params, _meta: meta } };
    const request = new Request('http://server.test/mcp', {
        method: 'POST',
        headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': params.name
        },
        body: JSON.stringify(body)
    });
    const response = await handler.fetch(request, authInfo && { authInfo });
    return (await response.json()) as Json;
}

/** The next request of a call that was answered with questions: all are accepted. */
export function retryOf(call: Json & { name: string }, answered: Json): Json & { name: string } {
    const { inputRequests, requestState } = answered['result'] as { inputRequests: Json; requestState: string };
    const accepted = { action: 'accept', content: { confirm: true } };
    const inputResponses = Object.fromEntries(Object.keys(inputRequests).map(key => [key, accepted]));
    return { ...call, inputResponses, requestState };
}
