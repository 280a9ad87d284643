// The other end: fetch requests to a handler in this process, without a network.
import { createMcpHandler } from '@modelcontextprotocol/server';

const REVISION = '2026-07-28';
const META = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } }
};

/** A function that sends a request of this method, and resolves with the reply. */
export function caller(handler) {
    let id = 0;
    return async (method, params) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta: META } });
        const headers = {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': REVISION,
            'mcp-method': method
        };
        if (params.name !== undefined) headers['mcp-name'] = params.name;
        const response = await handler.fetch(new Request('http://bench.test/mcp', { method: 'POST', headers, body }));
        return response.json();
    };
}

/**
 * Connects to a server.
 *
 * @param answer gives the content with which a question is accepted, by its key.
 * @returns a function that calls a tool and answers until it is done, and resolves with the results of all rounds.
 */
export function connect(factory, answer) {
    return connectTo(createMcpHandler(factory, { legacy: 'reject' }), answer);
}

/** {@link connect} to a handler. */
export function connectTo(handler, answer) {
    const call = caller(handler);
    const send = async params => {
        const { result, error } = await call('tools/call', params);
        if (error !== undefined) throw new Error(`tools/call ${params.name}: ${error.code} ${error.message}`);
        return result;
    };
    return async (name, args) => {
        const results = [await send({ name, arguments: args })];
        for (;;) {
            const { resultType, inputRequests, requestState } = results.at(-1);
            if (resultType !== 'input_required') return results;
            const inputResponses = Object.fromEntries(
                Object.keys(inputRequests).map(key => [key, { action: 'accept', content: answer(key) }])
            );
            results.push(await send({ name, arguments: args, inputResponses, requestState }));
        }
    };
}
