import { expect, it } from 'vitest';
import { lines, upgradeText } from './upgradeText.js';

// Comments in front of push calls are how a call is found again after the upgrade; none may get lost.
const ANCHORED = lines(
    `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';`,
    `import { CallToolRequestSchema, CreateMessageResultSchema, ElicitResultSchema, ListRootsResultSchema } from '@modelcontextprotocol/sdk/types.js';`,
    `import { z } from 'zod';`,
    `const server = new McpServer({ name: 'a', version: '1' });`,
    `async function ask() {`,
    `    return /*@mrtr:s1*/server.server.elicitInput({ message: 'a', requestedSchema: { type: 'object', properties: {} } });`,
    `}`,
    `server.tool('one', { a: z.string() }, async ({ a }, extra) => {`,
    `    const r = await /*@mrtr:s2*/extra.sendRequest({ method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }, CreateMessageResultSchema);`,
    `    return { content: [{ type: 'text', text: a + r.model }] };`,
    `});`,
    `server.tool(`,
    `    'two',`,
    `    'Two',`,
    `    {},`,
    `    { readOnlyHint: true },`,
    `    async (_, extra) => {`,
    `        for (const x of [1, 2]) if (extra.signal.aborted) await ask(); else await (/*@mrtr:s3*/server.server.listRoots());`,
    `        return { content: [] };`,
    `    }`,
    `);`,
    `server.prompt('three', { b: z.string() }, async ({ b }) => {`,
    `    await /*@mrtr:s4*/server.server.createMessage({ messages: [], maxTokens: 1 });`,
    `    return { messages: [{ role: 'user', content: { type: 'text', text: b } }] };`,
    `});`,
    `server.resource('four', 'file:///four', async (uri, extra) => {`,
    `    const { roots } = await /*@mrtr:s5*/extra.sendRequest({ method: 'roots/list' }, ListRootsResultSchema);`,
    `    return { contents: roots.map(() => ({ uri: uri.href, text: '' })) };`,
    `});`,
    `server.registerTool('five', { inputSchema: { c: z.string() } }, async ({ c }, extra) => ({`,
    `    content: [{ type: 'text', text: c + String(await /*@mrtr:s6*/server.server.request({ method: 'roots/list' }, ListRootsResultSchema)) + extra.requestId }]`,
    `}));`,
    `server.server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {`,
    `    const first = /*@mrtr:s7*/extra.sendRequest(`,
    `        { method: 'elicitation/create', params: { message: 'x', requestedSchema: { type: 'object', properties: {} } } },`,
    `        ElicitResultSchema,`,
    `        { timeout: 5 }`,
    `    );`,
    `    const [a] = await Promise.all([first, /*@mrtr:s8*/server.server.request({ method: 'roots/list' }, ListRootsResultSchema)]);`,
    `    return { content: [{ type: 'text', text: request.params.name + a.action }] };`,
    `});`
);

const anchorsOf = (text: string) =>
    [...text.matchAll(/\/\*@mrtr:(s\d+)\*\/([\w.]+)/g)].map(([, id, callee]) => `${id ?? ''} ${callee ?? ''}`);

it.each([
    ['an ES module', ANCHORED, '/p/server.ts'],
    [
        'a CommonJS file',
        ANCHORED.replace(/^import \{(.*)\} from ('.*');$/gm, 'const {$1} = require($2);').replace(
            'async (_',
            'async (_'
        ),
        '/p/server.js'
    ],
    ['a file with CRLF', ANCHORED.replaceAll('\n', '\r\n'), '/p/server.ts']
])('anchors in %s stay in front of the calls that they mark', (_, text, name) => {
    expect(anchorsOf(upgradeText(text, name).text)).toEqual([
        's1 server.server.elicitInput',
        's2 ctx.mcpReq.send',
        's3 server.server.listRoots',
        's4 server.server.createMessage',
        's5 ctx.mcpReq.send',
        's6 server.server.request',
        's7 ctx.mcpReq.send',
        's8 server.server.request'
    ]);
});
