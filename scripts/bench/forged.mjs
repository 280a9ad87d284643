import { createMcpHandler } from '@modelcontextprotocol/server';
import { caller } from './client.mjs';
import { compare } from './compare.mjs';
import { TOOL, withRuntime } from './servers.mjs';

/** A retry with a state that has a changed byte, against a valid `tools/list`: as {@link compare} says. */
export async function forgedRetries({ runs, calls }) {
    const send = caller(createMcpHandler(withRuntime(1), { legacy: 'reject' }));
    const call = { name: TOOL, arguments: { order: 'A-17' } };
    const { requestState } = (await send('tools/call', call)).result;
    const inputResponses = { 'question-1': { action: 'accept', content: { answer: 'yes' } } };
    const forged = { ...call, inputResponses, requestState: `${requestState.slice(0, -2)}AA` };
    const list = async () => {
        const { result } = await send('tools/list', {});
        if (result?.tools.length !== 1) throw new Error('tools/list does not list the tool');
    };
    const retry = async () => {
        const { error } = await send('tools/call', forged);
        if (error?.code !== -32602) throw new Error('A forged state was not refused');
    };
    return compare(list, retry, { runs, calls, warmUp: 1000 });
}
