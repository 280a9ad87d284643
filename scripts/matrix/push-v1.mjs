// Copied beside each version of SDK v1: the five ways to ask, on what all versions have.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';

const text = words => ({ content: [{ type: 'text', text: words }] });
const form = message => ({ message, requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } });
const sampling = { maxTokens: 5, messages: [{ role: 'user', content: { type: 'text', text: 'A word?' } }] };

export function build() {
    const server = new McpServer({ name: 'matrix', version: '1.0.0' });
    const { server: low } = server;
    server.tool('elicit', async () => text((await low.elicitInput(form('Sure?'))).action));
    server.tool('sample', async () => text((await low.createMessage(sampling)).content.text));
    server.tool('roots', async () => text((await low.listRoots()).roots[0].uri));
    server.tool('send', async extra => {
        const request = { method: 'elicitation/create', params: form('By request?') };
        return text((await extra.sendRequest(request, ElicitResultSchema)).action);
    });
    server.tool('together', async () => {
        const [one, other] = await Promise.all([low.elicitInput(form('One?')), low.elicitInput(form('Other?'))]);
        return text(`${one.action} ${other.action}`);
    });
    return server;
}
