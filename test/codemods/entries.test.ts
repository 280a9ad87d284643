import { describe, expect, it } from 'vitest';
import { migrate } from '../../codemods/index.js';
import { suiteProject } from '../temporaryProject.js';

const MANIFEST = JSON.stringify({
    name: 'entries',
    type: 'module',
    dependencies: { '@modelcontextprotocol/sdk': '^1.20.0', zod: '^4.2.0' }
});

const server = (entry: string): string => `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { host } from 'some-framework';

const server = new McpServer({ name: 'shop', version: '1.0.0' });
server.registerTool('close', {}, async () => {
    const { action } = await server.server.elicitInput({
        message: 'Close?',
        requestedSchema: { type: 'object', properties: {} }
    });
    return { content: [{ type: 'text', text: action }] };
});
${entry}
`;

/** Its handler waits in memory, since a value of any type is read before it asks. */
const WORKER = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler } from 'agents/mcp';

declare const store: { read(): Promise<any> };

function createServer() {
    const server = new McpServer({ name: 'shop', version: '1.0.0' });
    server.registerTool('close', {}, async () => {
        const shop = await store.read();
        const { action } = await server.server.elicitInput({
            message: 'Close ' + shop.name,
            requestedSchema: { type: 'object', properties: {} }
        });
        return { content: [{ type: 'text', text: action }] };
    });
    return server;
}
export default { fetch: (request: Request, env: unknown, ctx: any) => createMcpHandler(createServer())(request, env, ctx) };
`;

describe('the entry of a migrated server', () => {
    const folder = suiteProject({
        'framework/package.json': MANIFEST,
        'framework/server.ts': server('export default host(server);'),
        'worker/package.json': MANIFEST,
        'worker/wrangler.toml': 'main = "server.ts"\n',
        'worker/server.ts': WORKER,
        'stdio/package.json': MANIFEST,
        'stdio/server.ts': server('await server.connect(new StdioServerTransport());\nexport { host };')
    });
    const entries = (path: string): unknown[] =>
        migrate({ cwd: folder, paths: [path] })
            .report.diagnostics.filter(({ code }) => /^(?:entry|worker)-/.test(code))
            .map(({ code, level, file, line }) => ({ code, level, file, line }));

    it('is said to be unknown, if nothing in the project connects the server', () => {
        expect(entries('framework')).toEqual([
            { code: 'entry-unknown', level: 'warning', file: 'framework/server.ts', line: 5 }
        ]);
    });

    it('is not mentioned, if it is rewritten', () => {
        expect(entries('stdio')).toEqual([]);
    });

    it('is unknown where the handler of the name is one of a framework, and a Worker is told what it cannot have', () => {
        const file = 'worker/server.ts';
        expect(entries('worker')).toEqual([
            { code: 'entry-unknown', level: 'warning', file, line: 7 },
            { code: 'worker-park', level: 'warning', file, line: 8 },
            { code: 'worker-key', level: 'warning', file, line: 7 }
        ]);
    });
});
