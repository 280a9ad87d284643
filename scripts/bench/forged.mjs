import { createMcpHandler } from '@modelcontextprotocol/server';
import { caller } from './client.mjs';
import { compare } from './compare.mjs';
import { handWritten, TOOL, withRuntime } from './servers.mjs';

const CALL = { name: TOOL, arguments: { order: 'A-17' } };
const WARM_UP = 1000;

/**
 * A retry with a state that has a changed byte, against other requests of the same run: one row for each, with its
 * target if it has one, and what {@link compare} says.
 */
export async function forgedRetries({ runs, calls }) {
    const own = serve(withRuntime(1));
    const forged = await forgedRetry(own);
    const baselines = [
        { name: 'a valid tools/list, one tool', target: 1, request: listOf(own, 1) },
        { name: 'a valid tools/list, ten tools', request: listOf(serve(withRuntime(1, {}, 10)), 10) },
        { name: 'the same, written by hand', request: await forgedRetry(serve(handWritten(1))) },
        { name: 'a call that the SDK refuses itself', request: refused(own, { ...CALL, name: 'unknown' }) }
    ];
    const rows = [];
    for (const { name, target, request } of baselines) {
        rows.push({ name, target, ...(await compare(request, forged, { runs, calls, warmUp: WARM_UP })) });
    }
    return rows;
}

function serve(factory) {
    return caller(createMcpHandler(factory, { legacy: 'reject' }));
}

async function forgedRetry(send) {
    const { requestState } = (await send('tools/call', CALL)).result;
    const inputResponses = { 'question-1': { action: 'accept', content: { answer: 'yes' } } };
    return refused(send, { ...CALL, inputResponses, requestState: `${requestState.slice(0, -2)}AA` });
}

function refused(send, params) {
    return async () => {
        const { error } = await send('tools/call', params);
        if (error?.code !== -32602) throw new Error(`Not refused: ${JSON.stringify(params)}`);
    };
}

function listOf(send, tools) {
    return async () => {
        const { result } = await send('tools/list', {});
        if (result?.tools.length !== tools) throw new Error('tools/list does not list the tools');
    };
}
