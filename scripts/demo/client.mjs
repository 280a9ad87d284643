// A real SDK client with scripted answers, which prints what goes over the wire.
import { randomBytes } from 'node:crypto';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { say, shorten } from './say.mjs';

/**
 * Starts the server, connects, lets `play` make its calls and ends the server again, whatever happens.
 * `negotiation` is the client's `versionNegotiation` option; absent is what 2025-era clients do.
 */
export async function withClient({ folder, negotiation, answers }, play) {
    const client = new Client(
        { name: 'demo', version: '1.0.0' },
        {
            capabilities: { elicitation: { form: {} }, sampling: {} },
            ...(negotiation && { versionNegotiation: negotiation })
        }
    );
    const asked = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params.message);
        say('?', `${params.message}  (${Object.keys(params.requestedSchema?.properties ?? {}).join(', ')})`);
        say('!', JSON.stringify(answers.elicitation));
        return answers.elicitation;
    });
    client.setRequestHandler('sampling/createMessage', ({ params }) => {
        const question = params.messages.at(-1).content.text;
        asked.push(question);
        say('?', question);
        say('!', answers.sampling.content.text);
        return answers.sampling;
    });

    const transport = new StdioClientTransport({
        command: process.execPath,
        args: ['src/stdio.js'],
        cwd: folder,
        stderr: 'pipe',
        env: { ...getDefaultEnvironment(), MCP_STATE_KEY: randomBytes(32).toString('base64') }
    });
    const log = [];
    transport.stderr?.on('data', chunk => log.push(chunk));
    watch(transport);
    const end = () => transport.pid && isAlive(transport.pid) && process.kill(transport.pid, 'SIGKILL');
    process.on('exit', end);
    try {
        await client.connect(transport);
        const server = client.getServerVersion();
        say(' ', `${server.name} speaks ${client.getNegotiatedProtocolVersion()}`);
        await play(client, asked);
    } catch (error) {
        process.stderr.write(Buffer.concat(log));
        throw error;
    } finally {
        await client.close();
        process.off('exit', end);
    }
}

/** Prints the calls, the rounds and what the server pushes; not the handshake. */
function watch(transport) {
    const calls = new Map();
    const send = transport.send.bind(transport);
    transport.send = (message, ...rest) => {
        if (message.method === 'tools/call' || message.method === 'resources/subscribe') {
            calls.set(message.id, message.method);
            const { name, uri, inputResponses } = message.params;
            const again = inputResponses ? `, again, with the answer to ${Object.keys(inputResponses).join(', ')}` : '';
            say('>', `${message.method} ${name ?? uri}${again}`);
        }
        return send(message, ...rest);
    };
    // The client sets `onmessage` when it connects: the watcher stands in front of whatever it sets.
    let receive;
    Object.defineProperty(transport, 'onmessage', {
        configurable: true,
        get: () => receive,
        set: next => {
            receive = (message, extra) => {
                describe(message, calls);
                next(message, extra);
            };
        }
    });
}

function describe(message, calls) {
    if (message.method && message.id !== undefined) say('<', `${message.method}, pushed by the server`);
    if (message.method || !calls.has(message.id)) return;
    if (message.error) return say('<', `error ${message.error.code}: ${message.error.message}`);
    const { resultType, inputRequests, requestState, content } = message.result;
    if (resultType === 'input_required') {
        const asks = Object.entries(inputRequests).map(([key, { method }]) => `${key} (${method})`);
        return say('<', `input_required: ${asks.join(', ')}; ${requestState.length} characters of sealed state`);
    }
    say('<', content ? content.map(({ text }) => shorten(text)).join(' | ') : 'done');
}

function isAlive(pid) {
    try {
        process.kill(pid, 0);
        return true;
    } catch {
        return false;
    }
}
