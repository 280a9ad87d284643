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

describe('the entry of a migrated server', () => {
    const folder = suiteProject({
        'framework/package.json': MANIFEST,
        'framework/server.ts': server('export default host(server);'),
        'stdio/package.json': MANIFEST,
        'stdio/server.ts': server('await server.connect(new StdioServerTransport());\nexport { host };')
    });
    const entries = (path: string): unknown[] =>
        migrate({ cwd: folder, paths: [path] })
            .report.diagnostics.filter(({ code }) => code.startsWith('entry'))
            .map(({ code, level, file, line }) => ({ code, level, file, line }));

    it('is said to be unknown, if nothing in the project connects the server', () => {
        expect(entries('framework')).toEqual([
            { code: 'entry-unknown', level: 'warning', file: 'framework/server.ts', line: 5 }
        ]);
    });

    it('is not mentioned, if it is rewritten', () => {
        expect(entries('stdio')).toEqual([]);
    });
});
