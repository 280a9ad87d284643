// What the clients of the soak run do, over and over: calls that are played to their end and compared with what they
// have to say, and clients that do not keep to the protocol.
import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const PIN = { mode: { pin: '2026-07-28' } };
const PLAYED = ['sequence', 'together', 'mixed', 'large', 'failing', 'nothing'].flatMap(name => [
    name,
    `${name}-parked`,
    `${name}-auto`
]);
const TOOLS = [...PLAYED, 'locked'];

/** A real client, whose answers name their question; `thinkMs` is how long its user takes. */
export async function connect(url, thinkMs = () => 0) {
    const client = new Client(
        { name: 'soak', version: '1.0.0' },
        { capabilities: CAPABILITIES, versionNegotiation: PIN }
    );
    client.setRequestHandler('elicitation/create', async ({ params }) => {
        await delay(thinkMs());
        if (params.mode === 'url') return { action: 'accept' };
        return { action: 'accept', content: { answer: `to ${params.message}` } };
    });
    client.setRequestHandler('sampling/createMessage', ({ params }) => ({
        role: 'assistant',
        model: 'soak',
        content: { type: 'text', text: `wrote ${params.messages[0].content.text}` }
    }));
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///soak' }] }));
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return client;
}

/** Plays the call of this number to its end. @throws Error if it does not say what it has to. */
export async function playRight(client, flow) {
    const name = TOOLS[flow % TOOLS.length];
    const count = 1 + (flow % 4);
    const { content, isError = false } = await client.callTool(
        { name, arguments: { flow, count } },
        { timeout: 300_000 }
    );
    const got = content.map(({ text }) => text).join('\n');
    const expected = expectedText(name.split('-')[0], flow, count);
    if (got !== expected || isError !== name.startsWith('failing')) {
        throw new Error(`${name} ${flow} said '${got}', not '${expected}'`);
    }
}

function expectedText(name, flow, count) {
    const item = n => `to Item ${n} of ${flow}?`;
    switch (name) {
        case 'sequence':
        case 'together':
            return [flow, ...Array.from({ length: count }, (_, index) => item(index + 1))].join(' ');
        case 'mixed':
            return `${flow} 1 wrote Line of ${flow} accept`;
        case 'large':
            return `${flow} 8192 ${item(1)}`;
        case 'failing':
            return `failed ${flow}`;
        case 'locked':
            return `${flow} ${item(1)}`;
        case 'nothing':
            return String(flow);
    }
}

const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': CAPABILITIES
};

/**
 * A client that does something else with a round than to answer it: forgets it, answers in the wrong shape, forges the
 * state, sends one answer twice, or hangs up.
 */
export async function playWrong(url, flow) {
    const name = PLAYED[flow % (PLAYED.length - 3)];
    const call = { name, arguments: { flow, count: 2 } };
    const { result } = await post(url, call);
    if (result?.resultType !== 'input_required')
        throw new Error(`${name} ${flow} did not ask: ${JSON.stringify(result)}`);
    const { inputRequests, requestState } = result;
    const answered = { ...call, requestState, inputResponses: answersTo(inputRequests) };
    switch (flow % 5) {
        case 0:
            return;
        case 1:
            return expectError(await post(url, { ...answered, requestState: `${requestState.slice(0, -3)}AAA` }));
        case 2: {
            const malformed = Object.fromEntries(Object.keys(inputRequests).map(key => [key, { action: 7 }]));
            await post(url, { ...answered, inputResponses: malformed });
            return;
        }
        case 3:
            await Promise.all([post(url, answered), post(url, answered)]);
            return;
        case 4:
            await post(url, answered, AbortSignal.timeout(1)).catch(error => {
                if (error.name !== 'TimeoutError') throw error;
            });
    }
}

function answersTo(inputRequests) {
    const answer = ({ method, params }) => {
        if (method === 'roots/list') return { roots: [] };
        if (method === 'sampling/createMessage') {
            return { role: 'assistant', model: 'soak', content: { type: 'text', text: 'written' } };
        }
        return params.mode === 'url' ? { action: 'decline' } : { action: 'accept', content: { answer: 'yes' } };
    };
    return Object.fromEntries(Object.entries(inputRequests).map(([key, request]) => [key, answer(request)]));
}

function expectError({ error }) {
    if (error?.code !== -32602) throw new Error(`A forged state was answered with ${JSON.stringify(error)}`);
}

async function post(url, params, signal) {
    const response = await fetch(url, {
        method: 'POST',
        headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': params.name
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: META } }),
        ...(signal && { signal })
    });
    return response.json();
}
