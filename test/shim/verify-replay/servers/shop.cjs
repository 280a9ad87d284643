/* eslint-disable @typescript-eslint/no-require-imports -- a CommonJS server is what this is */
// The same in CommonJS, with the names taken when the file is loaded.
const { writeFileSync } = require('node:fs');
const { writeFile } = require('node:fs/promises');

const { McpServer } = require('@modelcontextprotocol/server');
const { serveStdio } = require('@modelcontextprotocol/server/stdio');
const { createMrtr, elicit } = require('mcp-mrtr');
const z = require('zod');

const { attach, resumable } = createMrtr({ key: 'a key for tests, long enough for AES' });
const FORM = { type: 'object', properties: { answer: { type: 'string' } } };

async function before(_args, ctx) {
    writeFileSync('before.txt', 'x');
    await writeFile('promised.txt', 'x');
    await ctx.once('inside', () => writeFileSync('inside.txt', 'x'));
    const { content } = await ctx.need('confirm', elicit({ message: 'confirm?', requestedSchema: FORM }));
    return { content: [{ type: 'text', text: content.answer }] };
}

serveStdio(() => {
    const server = attach(new McpServer({ name: 'shop', version: '1.0.0' }));
    server.registerTool('before', { inputSchema: z.object({}) }, resumable(before));
    return server;
});
