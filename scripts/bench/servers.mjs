// Two servers with the same tool: it asks `rounds` questions, one after the other, and answers with what it was told.
// Both check their arguments and every answer, and bind their state to method and caller.
import { McpServer, acceptedContent, createRequestStateCodec, inputRequired } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { createMrtr, elicit } from '../../dist/shim/index.js';

export const TOOL = 'ask';

const KEY = 'a key for the bench, of 32 bytes and more';
const INFO = { name: 'bench', version: '1.0.0' };
const CONFIG = { description: 'Asks', inputSchema: z.object({ order: z.string() }) };
const FORM = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
const ANSWER = z.object({ answer: z.string() });

const keys = rounds => Array.from({ length: rounds }, (_, index) => `question-${index + 1}`);
const question = (key, order) => ({ message: `${key} about ${order}?`, requestedSchema: FORM });
const text = value => ({ content: [{ type: 'text', text: value }] });

/** As the SDK's documentation has it: `inputRequired`, and a `requestState` that its own codec signs. */
export function handWritten(rounds) {
    const asked = keys(rounds);
    const codec = createRequestStateCodec({
        key: KEY,
        bind: ctx => `${ctx.mcpReq.method}\0${ctx.http?.authInfo?.clientId ?? ''}`
    });
    return () => {
        const server = new McpServer(INFO, { requestState: { verify: codec.verify } });
        server.registerTool(TOOL, CONFIG, async ({ order }, ctx) => {
            const answers = { ...ctx.mcpReq.requestState() };
            const missing = asked.find(key => answers[key] === undefined);
            const content = missing && acceptedContent(ctx.mcpReq.inputResponses, missing, ANSWER);
            if (content !== undefined) answers[missing] = content.answer;
            const next = asked.find(key => answers[key] === undefined);
            if (next === undefined) return text([order, ...Object.values(answers)].join(' '));
            return inputRequired({
                inputRequests: { [next]: inputRequired.elicit(question(next, order)) },
                requestState: await codec.mint(answers, ctx)
            });
        });
        return server;
    };
}

/** With `resumable` and `ctx.need`; of several tools the others are never called. */
export function withRuntime(rounds, options = {}, tools = 1) {
    const asked = keys(rounds);
    const { attach, resumable } = createMrtr({ key: KEY });
    return () => {
        const server = attach(new McpServer(INFO));
        server.registerTool(
            TOOL,
            CONFIG,
            resumable(options, async ({ order }, ctx) => {
                const said = [order];
                for (const key of asked) {
                    const { content } = await ctx.need(key, elicit(question(key, order)));
                    said.push(content.answer);
                }
                return text(said.join(' '));
            })
        );
        for (let other = 1; other < tools; other++) {
            server.registerTool(`other-${other}`, CONFIG, ({ order }) => text(order));
        }
        return server;
    };
}
