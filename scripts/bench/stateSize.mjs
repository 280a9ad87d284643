import { McpServer } from '@modelcontextprotocol/server';
import { createMrtr, elicit } from '../../dist/shim/index.js';
import { connect } from './client.mjs';

/** Base64 of what is carried, with 60 bytes for the key, kind and digest of an entry, and the frame around all. */
const BASE64 = 1.34;
const ENTRY_BYTES = 60;
const FRAME_BYTES = 200;

const FORM = { type: 'object', properties: { answer: { type: 'string' } } };
const LINE = 'a short line';
const PARAGRAPH = 'a line that goes on for a while '.repeat(16);

const FLOWS = [
    { name: 'one question', count: 1, answer: LINE },
    { name: 'ten questions', count: 10, answer: LINE },
    { name: 'ten questions with long answers', count: 10, answer: PARAGRAPH },
    { name: 'ten questions, each after a value of once', count: 10, answer: LINE, once: { id: 17 } },
    { name: 'ten questions at once', count: 10, answer: LINE, together: true },
    { name: 'ten questions at once, none answered yet', count: 10, answer: LINE, together: true, open: true }
];

/**
 * Sizes of sealed states: of each flow the last one, which carries all answers, or the first.
 *
 * @returns one row per flow: entries and bytes of JSON in the state, its sealed length, its bound.
 */
export async function stateSizes() {
    return Promise.all(FLOWS.map(sizeOf));
}

async function sizeOf(flow) {
    const { name, count, answer, once, open = false } = flow;
    const call = connect(server(flow), () => ({ answer }));
    const results = await call('flow', undefined);
    const states = results.map(({ requestState }) => requestState).filter(state => state !== undefined);
    const sealed = (open ? states[0] : states.at(-1)).length;

    // Of an open question the state carries key and digest, and no JSON.
    const answers = open ? [] : Array(count).fill({ action: 'accept', content: { answer } });
    const values = once === undefined ? [] : Array(count).fill(once);
    const entries = (open ? count : answers.length) + values.length;
    const bytes = [...answers, ...values].reduce((sum, value) => sum + JSON.stringify(value).length, 0);
    const bound = Math.floor(BASE64 * (bytes + ENTRY_BYTES * entries) + FRAME_BYTES);
    return { name, entries, bytes, sealed, bound };
}

/** A server with one tool, which asks what the flow says and then once more, so that a state carries all answers. */
function server({ count, once, together = false }) {
    const { attach, resumable } = createMrtr({ key: 'a key for the bench, of 32 bytes and more' });
    const ask = (ctx, key) => ctx.need(key, elicit({ message: `${key}?`, requestedSchema: FORM }));
    const keys = Array.from({ length: count }, (_, index) => `question-${index + 1}`);
    const handler = resumable(async ctx => {
        if (together) await Promise.all(keys.map(key => ask(ctx, key)));
        else {
            for (const key of keys) {
                if (once !== undefined) await ctx.once(`before-${key}`, () => once);
                await ask(ctx, key);
            }
        }
        await ask(ctx, 'last');
        return { content: [] };
    });
    return () => {
        const mcp = attach(new McpServer({ name: 'bench', version: '1.0.0' }));
        mcp.registerTool('flow', {}, handler);
        return mcp;
    };
}
