// Copied beside each version of SDK v2: the five ways to ask.
import { McpServer } from '@modelcontextprotocol/server';

const text = words => ({ content: [{ type: 'text', text: words }] });
const form = message => ({ message, requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } });
const sampling = { maxTokens: 5, messages: [{ role: 'user', content: { type: 'text', text: 'A word?' } }] };

export function build() {
    const server = new McpServer({ name: 'matrix', version: '1.0.0' });
    const { server: low } = server;
    server.registerTool('elicit', {}, async ctx => text((await ctx.mcpReq.elicitInput(form('Sure?'))).action));
    server.registerTool('sample', {}, async ctx => text((await ctx.mcpReq.requestSampling(sampling)).content.text));
    server.registerTool('roots', {}, async () => text((await low.listRoots()).roots[0].uri));
    server.registerTool('send', {}, async ctx => {
        const request = { method: 'elicitation/create', params: form('By request?') };
        return text((await ctx.mcpReq.send(request)).action);
    });
    server.registerTool('together', {}, async () => {
        const [one, other] = await Promise.all([low.elicitInput(form('One?')), low.elicitInput(form('Other?'))]);
        return text(`${one.action} ${other.action}`);
    });
    return server;
}
