import { createMcpHandler } from '@modelcontextprotocol/server';
import type { AuthInfo, ClientCapabilities, McpServer, Server } from '@modelcontextprotocol/server';

import { ALL } from './clients.js';

/** One request as a client puts it on the wire, below everything that the SDK's client would check or repair. */
export interface Frame {
    readonly method?: 'tools/call' | 'prompts/get' | 'resources/read' | 'completion/complete';
    readonly params: Record<string, unknown>;
    readonly inputResponses?: unknown;
    readonly requestState?: unknown;
    readonly capabilities?: ClientCapabilities;
    readonly authInfo?: AuthInfo;
    readonly signal?: AbortSignal;
}

export interface Reply {
    readonly status: number;
    readonly result?: { resultType?: string; inputRequests?: Record<string, unknown>; requestState?: string } & Record<
        string,
        unknown
    >;
    readonly error?: { code: number; message: string; data?: unknown };
}

/** Sends 2026-07-28 frames to a server over HTTP, in process. */
export function frameClient(factory: () => McpServer | Server): (frame: Frame) => Promise<Reply> {
    const handler = createMcpHandler(factory);
    let id = 0;
    return async ({ method = 'tools/call', params, capabilities = ALL, authInfo, signal, ...retry }) => {
        const name = typeof params['uri'] === 'string' ? params['uri'] : String(params['name']);
        const body = {
            jsonrpc: '2.0',
            id: ++id,
            method,
            params: {
                ...params,
                ...retry,
                _meta: {
                    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                    'io.modelcontextprotocol/clientInfo': { name: 'frames', version: '1.0.0' },
                    'io.modelcontextprotocol/clientCapabilities': capabilities
                }
            }
        };
        const request = new Request('http://server.test/mcp', {
            method: 'POST',
            headers: {
                'content-type': 'application/json',
                accept: 'application/json, text/event-stream',
                'mcp-protocol-version': '2026-07-28',
                'mcp-method': method,
                'mcp-name': name
            },
            body: JSON.stringify(body),
            ...(signal && { signal })
        });
        const response = await handler.fetch(request, authInfo && { authInfo });
        const reply = (await response.json()) as Omit<Reply, 'status'>;
        return { status: response.status, ...reply };
    };
}
