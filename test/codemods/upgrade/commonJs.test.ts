import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../../codemods/project/packages.js';
import { lines, upgradeText } from './upgradeText.js';

const LOW_LEVEL = lines(
    `#!/usr/bin/env node`,
    `'use strict';`,
    ``,
    `const { Server } = require('@modelcontextprotocol/sdk/server/index.js'); // low level`,
    `const { StdioServerTransport } = require('@modelcontextprotocol/sdk/server/stdio.js');`,
    `const {`,
    `  CallToolRequestSchema,`,
    `  ListToolsRequestSchema: ListTools,`,
    `  ElicitResultSchema,`,
    `  McpError,`,
    `  ErrorCode,`,
    `} = require('@modelcontextprotocol/sdk/types.js');`,
    `const path = require('path');`,
    ``,
    `const server = new Server({ name: path.basename(__filename), version: '1' }, { capabilities: { tools: {} } });`,
    ``,
    `server.setRequestHandler(ListTools, async () => ({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] }));`,
    ``,
    `server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {`,
    `  if (request.params.name !== 'ask') throw new McpError(ErrorCode.InvalidParams, 'no such tool');`,
    `  const answer = await extra.sendRequest(`,
    `    { method: 'elicitation/create', params: { message: 'Well?', requestedSchema: { type: 'object', properties: {} } } },`,
    `    ElicitResultSchema`,
    `  );`,
    `  return { content: [{ type: 'text', text: answer.action }] };`,
    `});`,
    ``,
    `module.exports = { server, StdioServerTransport };`
);

describe('a CommonJS server', () => {
    it('requires the v2 packages, and its handlers are upgraded like those of an ES module', () => {
        expect(upgradeText(LOW_LEVEL, '/p/server.js').text).toBe(
            lines(
                `#!/usr/bin/env node`,
                `'use strict';`,
                ``,
                `const { Server, ProtocolError, ProtocolErrorCode } = require('@modelcontextprotocol/server'); // low level`,
                `const { StdioServerTransport } = require('@modelcontextprotocol/server/stdio');`,
                `const { ElicitResultSchema } = require('@modelcontextprotocol/core');`,
                `const path = require('path');`,
                ``,
                `const server = new Server({ name: path.basename(__filename), version: '1' }, { capabilities: { tools: {} } });`,
                ``,
                `server.setRequestHandler('tools/list', async () => ({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] }));`,
                ``,
                `server.setRequestHandler('tools/call', async (request, ctx) => {`,
                `  if (request.params.name !== 'ask') throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no such tool');`,
                `  const answer = await ctx.mcpReq.send(`,
                `    { method: 'elicitation/create', params: { message: 'Well?', requestedSchema: { type: 'object', properties: {} } } },`,
                `    ElicitResultSchema`,
                `  );`,
                `  return { content: [{ type: 'text', text: answer.action }] };`,
                `});`,
                ``,
                `module.exports = { server, StdioServerTransport };`
            )
        );
    });

    it('loads after the upgrade', () => {
        expect(loads(upgradeText(LOW_LEVEL, '/p/server.js').text)).toBe('server,StdioServerTransport');
    });
});

describe('a namespace', () => {
    const COMPILED = lines(
        `"use strict";`,
        `Object.defineProperty(exports, "__esModule", { value: true });`,
        `const mcp_js_1 = require("@modelcontextprotocol/sdk/server/mcp.js");`,
        `const types_js_1 = require("@modelcontextprotocol/sdk/types.js");`,
        `const zod_1 = require("zod");`,
        `const server = new mcp_js_1.McpServer({ name: "b", version: "1" });`,
        `server.server.setRequestHandler(types_js_1.ListRootsRequestSchema, async () => ({ roots: [] }));`,
        `server.tool("t", zod_1.z.object({}).shape, async (_, extra) => {`,
        `    types_js_1.CallToolResultSchema.parse({ content: [] });`,
        `    if (!(0, types_js_1.isInitializeRequest)({})) throw new types_js_1.McpError(1, extra.requestId);`,
        `    return { content: [] };`,
        `});`,
        `exports.server = server;`
    );

    it('that is required keeps its name, and members of another package get one beside it', () => {
        const { text } = upgradeText(COMPILED, '/p/server.js');
        expect(text).toBe(
            lines(
                `"use strict";`,
                `Object.defineProperty(exports, "__esModule", { value: true });`,
                `const mcp_js_1 = require("@modelcontextprotocol/server");`,
                `const types_js_1 = require("@modelcontextprotocol/server");`,
                `const types_js_1Core = require("@modelcontextprotocol/core");`,
                `const zod_1 = require("zod");`,
                `const server = new mcp_js_1.McpServer({ name: "b", version: "1" });`,
                `server.server.setRequestHandler("roots/list", async () => ({ roots: [] }));`,
                `server.registerTool("t", { inputSchema: zod_1.z.object({}).shape }, async (_, ctx) => {`,
                `    types_js_1Core.CallToolResultSchema.parse({ content: [] });`,
                `    if (!(0, types_js_1.isInitializeRequest)({})) throw new types_js_1.ProtocolError(1, ctx.mcpReq.id);`,
                `    return { content: [] };`,
                `});`,
                `exports.server = server;`
            )
        );
    });

    it('that is imported is upgraded in the same way', () => {
        const { text } = upgradeText(
            lines(
                `import * as types from '@modelcontextprotocol/sdk/types.js';`,
                `import { Server } from '@modelcontextprotocol/sdk/server/index.js';`,
                `const server = new Server({ name: 'c', version: '1' });`,
                `server.setRequestHandler(types.CallToolRequestSchema, async (): Promise<types.CallToolResult> => {`,
                `    return types.CallToolResultSchema.parse({ content: [] });`,
                `});`
            )
        );
        expect(text).toBe(
            lines(
                `import * as types from '@modelcontextprotocol/server';`,
                `import { Server } from '@modelcontextprotocol/server';`,
                `import * as typesCore from '@modelcontextprotocol/core';`,
                `const server = new Server({ name: 'c', version: '1' });`,
                `server.setRequestHandler('tools/call', async (): Promise<types.CallToolResult> => {`,
                `    return typesCore.CallToolResultSchema.parse({ content: [] });`,
                `});`
            )
        );
    });

    it('that is also used as a value stays one, and its members are upgraded', () => {
        const { text } = upgradeText(
            lines(
                `const sdk = require('@modelcontextprotocol/sdk/server/mcp.js')`,
                `const server = new sdk.McpServer({ name: 'd', version: '1' })`,
                `server.tool('q', async extra => ({ content: [] }))`,
                `module.exports = { sdk, server }`
            ),
            '/p/server.js'
        );
        expect(text).toBe(
            lines(
                `const sdk = require('@modelcontextprotocol/server')`,
                `const server = new sdk.McpServer({ name: 'd', version: '1' })`,
                `server.registerTool('q', {}, async extra => ({ content: [] }))`,
                `module.exports = { sdk, server }`
            )
        );
    });

    it('whose name is declared twice is not taken apart', () => {
        const { text } = upgradeText(
            lines(
                `const sdk = require('@modelcontextprotocol/sdk/server/mcp.js');`,
                `const make = sdk => sdk.McpServer;`,
                `module.exports = make(sdk);`
            ),
            '/p/server.js'
        );
        expect(text).toContain(
            `const sdk = require('@modelcontextprotocol/server');\nconst make = sdk => sdk.McpServer;`
        );
    });
});

describe('require in other places', () => {
    it.each([
        [
            'among other declarations',
            `var fs = require('fs'),\n    { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js'),\n    n = 1;`,
            `var fs = require('fs');\nvar { McpServer } = require('@modelcontextprotocol/server');\nvar n = 1;`
        ],
        [
            'with one member taken',
            `const McpServer = require('@modelcontextprotocol/sdk/server/mcp.js').McpServer;`,
            `const { McpServer } = require('@modelcontextprotocol/server');`
        ],
        [
            'inside a function, with names that go to two packages',
            `function f() { const { McpError: E, CallToolResultSchema } = require('@modelcontextprotocol/sdk/types.js'); return [E, CallToolResultSchema]; }`,
            `function f() { const { ProtocolError: E } = require('@modelcontextprotocol/server'), { CallToolResultSchema } = require('@modelcontextprotocol/core'); return [E, CallToolResultSchema]; }`
        ],
        [
            'inside an expression',
            `run(new (require('@modelcontextprotocol/sdk/server/streamableHttp.js').StreamableHTTPServerTransport)({}));`,
            `run(new (require('@modelcontextprotocol/node').NodeStreamableHTTPServerTransport)({}));`
        ],
        [
            'in a type of a comment',
            `/** @type {import('@modelcontextprotocol/sdk/types.js').CallToolResult} */ let a;`,
            `/** @type {import('@modelcontextprotocol/server').CallToolResult} */ let a;`
        ],
        [
            'in a type of a comment, renamed',
            `/** @param {import("@modelcontextprotocol/sdk/shared/protocol.js").RequestHandlerExtra} a */ const f = a => a;`,
            `/** @param {import("@modelcontextprotocol/server").ServerContext} a */ const f = a => a;`
        ]
    ])('%s', (_, before, after) => {
        expect(upgradeText(before + '\n', '/p/a.js').text).toBe(after + '\n');
    });

    it('that cannot be rewritten stays and is named with its line', () => {
        const text = `const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');\nconst { version } = require('@modelcontextprotocol/sdk/package.json');\n`;
        const { diagnostics, text: after } = upgradeText(text, '/p/a.js');
        expect(after).toContain(`require('@modelcontextprotocol/sdk/package.json')`);
        expect(diagnostics.map(({ level, line, message }) => [level, line, message.slice(0, 48)])).toContainEqual([
            'warning',
            2,
            `require('@modelcontextprotocol/sdk/package.json')`.slice(0, 48)
        ]);
    });
});

/** The names that a CommonJS text exports, loaded by Node with the installed SDK v2. */
function loads(text: string): string {
    const file = join(packageRoot, 'node_modules', `.mcp-mrtr-upgrade-test-${String(process.pid)}.cjs`);
    onTestFinished(() => rmSync(file, { force: true }));
    writeFileSync(file, text);
    return execFileSync(process.execPath, ['-p', `Object.keys(require(${JSON.stringify(file)})).join()`], {
        encoding: 'utf8'
    }).trim();
}
