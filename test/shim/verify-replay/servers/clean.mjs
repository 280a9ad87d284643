// A server as it should be: what happens before an ask is in ctx.once, what comes after the last ask is not. Over stdio,
// or over HTTP where a parent process wants to know the port.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMrtr, elicit } from 'mcp-mrtr';
import * as z from 'zod';

const { attach, resumable } = createMrtr({ key: 'a key for tests, long enough for AES' });
const FORM = { type: 'object', properties: { answer: { type: 'string' } } };

function build() {
    const server = attach(new McpServer({ name: 'clean', version: '1.0.0' }, { capabilities: { logging: {} } }));
    server.registerTool(
        'order',
        { inputSchema: z.object({}) },
        resumable(async (_args, ctx) => {
            await ctx.mcpReq.log('info', 'begun');
            const at = ctx.onceSync('at', () => Date.now() > 0);
            await ctx.once('reserve', () => writeFileSync('reserved.txt', 'x'));
            const said = [at];
            for (const key of ['size', 'colour']) {
                const { content } = await ctx.need(key, elicit({ message: `${key}?`, requestedSchema: FORM }));
                said.push(content.answer);
            }
            writeFileSync('ordered.txt', said.join());
            return { content: [{ type: 'text', text: said.join() }] };
        })
    );
    return server;
}

if (process.send === undefined) {
    serveStdio(build);
} else {
    const answer = toNodeHandler(createMcpHandler(build));
    const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
    server.listen(0, '127.0.0.1', () => process.send(server.address().port));
    process.once('message', () => process.exit());
}
