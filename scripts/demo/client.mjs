// A real SDK client with scripted answers, which prints what goes over the wire.
import { randomBytes } from 'node:crypto';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { say, shorten } from './say.mjs';

/** Asks for pages by an error of the call, on 2025-era connections. */
const PAGES_NEEDED = -32042;

/**
 * Starts the server, connects, lets `play` make its calls and ends the server again, whatever happens. `play` gets a
 * function that calls a tool and returns its text, and the list of what was asked.
 * `negotiation` is the client's `versionNegotiation` option; absent is what 2025-era clients do.
 */
export async function withClient({ folder, script, negotiation, answers }, play) {
    const client = new Client(
        { name: 'demo', version: '1.0.0' },
        {
            capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
            ...(negotiation && { versionNegotiation: negotiation })
        }
    );
    const asked = [];
    const answer = (question, reply) => {
        asked.push(question);
        say('?', shorten(question));
        say('!', shorten(JSON.stringify(reply)));
        return reply;
    };
    client.setRequestHandler('elicitation/create', ({ params }) =>
        params.mode === 'url'
            ? answer(`${params.message} ${params.url}`, answers.page)
            : answer(params.message, answers.form)
    );
    client.setRequestHandler('sampling/createMessage', ({ params }) =>
        answer(params.messages.at(-1).content.text, answers.sampling)
    );
    client.setRequestHandler('roots/list', () => ({ roots: answers.roots }));

    const transport = new StdioClientTransport({
        command: process.execPath,
        args: [script],
        cwd: folder,
        stderr: 'pipe',
        env: { ...getDefaultEnvironment(), MCP_STATE_KEY: randomBytes(32).toString('base64') }
    });
    const log = [];
    transport.stderr?.on('data', chunk => log.push(chunk));
    watch(transport);
    const end = () => transport.pid && isAlive(transport.pid) && process.kill(transport.pid, 'SIGKILL');
    process.on('exit', end);
    const call = async (name, args) => {
        try {
            return textOf(await client.callTool({ name, arguments: args }));
        } catch (error) {
            if (error.code !== PAGES_NEEDED) throw error;
            for (const { message, url } of error.data.elicitations) answer(`${message} ${url}`, answers.page);
            return call(name, args);
        }
    };
    try {
        await client.connect(transport);
        const server = client.getServerVersion();
        say(' ', `${server.name} speaks ${client.getNegotiatedProtocolVersion()}`);
        return await play({ client, call, asked });
    } catch (error) {
        process.stderr.write(Buffer.concat(log));
        throw error;
    } finally {
        await client.close();
        process.off('exit', end);
    }
}

function textOf({ content }) {
    return content.map(({ text }) => text).join('\n');
}

/** Prints the calls, the rounds and what the server pushes; not the handshake. */
function watch(transport) {
    const calls = new Map();
    const send = transport.send.bind(transport);
    transport.send = (message, ...rest) => {
        if (message.method === 'tools/call') {
            calls.set(message.id, message.method);
            const { name, inputResponses } = message.params;
            const again = inputResponses ? `, again, with the answer to ${Object.keys(inputResponses).join(', ')}` : '';
            say('>', `${message.method} ${name}${again}`);
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
