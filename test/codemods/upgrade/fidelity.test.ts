import { describe, expect, it } from 'vitest';
import { upgradeSdk } from '../../../codemods/upgrade/upgradeSdk.js';
import { lines, upgradeText } from './upgradeText.js';

const SERVER = lines(
    `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';`,
    `import { z } from 'zod';`,
    ``,
    `const server = new McpServer({ name: 'a', version: '1' });`,
    `server.tool('greet', { name: z.string() }, async ({ name }, extra) => {`,
    `  if (extra.signal.aborted) {`,
    `    throw new Error('gone');   `,
    `  }`,
    ``,
    `  return { content: [{ type: 'text', text: name }] };`,
    `});`
);
const UPGRADED = SERVER.replace('sdk/server/mcp.js', 'server')
    .replace(
        `.tool('greet', { name: z.string() }`,
        `.registerTool('greet', { inputSchema: z.object({ name: z.string() }) }`
    )
    .replace(', extra)', ', ctx)')
    .replace('extra.signal', 'ctx.mcpReq.signal');

describe('outside of what is rewritten a file keeps every byte', () => {
    it('as a plain file', () => {
        expect(upgradeText(SERVER).text).toBe(UPGRADED);
    });

    it.each([
        ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
        ['tabs', (text: string) => text.replace(/^( {2})+/gm, indent => '\t'.repeat(indent.length / 2))],
        ['a byte order mark', (text: string) => '\uFEFF' + text],
        ['a shebang', (text: string) => '#!/usr/bin/env node\n' + text],
        [
            'a byte order mark, a shebang and CRLF',
            (text: string) => '\uFEFF#!/usr/bin/env -S node\r\n' + text.replaceAll('\n', '\r\n')
        ],
        ['no final newline', (text: string) => text.trimEnd()],
        ['double quotes', (text: string) => text.replaceAll("'", '"')],
        ['no semicolons', (text: string) => text.replace(/;$/gm, '')],
        ['a licence comment on top', (text: string) => '/**\n * Licence\n */\n' + text],
        ['a directive on top', (text: string) => "'use strict';\n\n" + text]
    ])('with %s', (_, form) => {
        expect(upgradeText(form(SERVER)).text).toBe(form(UPGRADED));
    });

    it('with both kinds of line breaks', () => {
        const mixed = (text: string) =>
            text
                .split('\n')
                .map((line, index) => (index % 3 ? line + '\n' : line + '\r\n'))
                .join('');
        const kept = mixed(SERVER).split('const server')[1]?.split('server.tool')[0] ?? '';
        expect(upgradeText(mixed(SERVER)).text).toContain('const server' + kept);
    });
});

describe('a registration whose arguments stand on lines of their own', () => {
    it('keeps them there, and its callback where it is', () => {
        const before = lines(
            `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';`,
            `import { z } from 'zod';`,
            `const server = new McpServer({ name: 'a', version: '1' });`,
            `server.tool(`,
            `    'greet',`,
            `    'Greets',`,
            `    { name: z.string() },`,
            `    async ({ name }) => {`,
            `        const text = \``,
            `Hello`,
            `      \${name}\`;`,
            `        return { content: [{ type: 'text', text }] };`,
            `    },`,
            `);`
        );
        expect(upgradeText(before).text).toBe(
            before
                .replace('sdk/server/mcp.js', 'server')
                .replace('server.tool', 'server.registerTool')
                .replace(
                    `    'Greets',\n    { name: z.string() },`,
                    `    { description: 'Greets', inputSchema: z.object({ name: z.string() }) },`
                )
        );
    });
});

describe('import lines', () => {
    it('keep their order and the comments behind them', () => {
        const { text } = upgradeText(
            lines(
                `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'; // the server`,
                `import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';`,
                `import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'; /* a type */`,
                `import fs from 'node:fs'; // mine`,
                ``,
                `export const all = [McpServer, StdioServerTransport, fs] as unknown as CallToolResult;`
            )
        );
        expect(text).toBe(
            lines(
                `import { McpServer } from '@modelcontextprotocol/server'; // the server`,
                `import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';`,
                `import type { CallToolResult } from '@modelcontextprotocol/server'; /* a type */`,
                `import fs from 'node:fs'; // mine`,
                ``,
                `export const all = [McpServer, StdioServerTransport, fs] as unknown as CallToolResult;`
            )
        );
    });
});

describe('files that the upgrade leaves alone', () => {
    it('are those that do not name SDK v1, even if they look like it', () => {
        const text = `import { server } from './server.js';\nserver.tool('a', {}, async (_, extra) => extra.signal);\n`;
        expect(upgradeText(text)).toEqual({ text, diagnostics: [] });
    });

    it('are those that were upgraded', () => {
        expect(upgradeText(UPGRADED)).toEqual({ text: UPGRADED, diagnostics: [] });
    });
});

describe('what the official transforms say', () => {
    it('is a diagnostic at the line of the original file, and no comment in it', () => {
        const { text, diagnostics } = upgradeText(
            '#!/usr/bin/env node\n' +
                lines(
                    `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';`,
                    `import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';`,
                    `import { ListRootsResultSchema } from '@modelcontextprotocol/sdk/types.js';`,
                    `const server = new McpServer({ name: 'a', version: '1' });`,
                    `server.tool(`,
                    `    'greet',`,
                    `    'Greets',`,
                    `    async () => ({ content: [] })`,
                    `);`,
                    `export const used = [CallToolResultSchema, ListRootsResultSchema];`,
                    `server.registerTool('late', {}, async (args, { signal }) => ({ content: [], signal, args }));`
                )
        );
        expect(text).not.toContain('@mcp-codemod-error');
        expect(diagnostics).toEqual([
            {
                level: 'warning',
                code: 'sdk-upgrade',
                file: '/p/server.ts',
                line: 12,
                message: expect.stringContaining('Destructuring of context parameter') as string
            }
        ]);
    });
});

describe('a file in which an official transform fails', () => {
    it('stays as it was and is named; the other files are upgraded', () => {
        const broken = SERVER.replace('z.string() }', 'z.string(');
        const { files, diagnostics } = upgradeSdk({
            files: new Map([
                ['/p/broken.ts', broken],
                ['/p/server.ts', SERVER]
            ])
        });
        expect([...files]).toEqual([
            ['/p/broken.ts', broken],
            ['/p/server.ts', UPGRADED]
        ]);
        const [failure] = diagnostics.filter(({ level }) => level === 'error');
        expect(failure?.file).toBe('/p/broken.ts');
        expect(failure?.message).toMatch(
            /^the official transform "mcpserver-api" failed \(.+\)\. The file stays on SDK v1/
        );
    });
});

describe('imports that go', () => {
    const wire = (method: string): string => `export const wire = server => server.setRequestHandler(${method}, list);`;
    const IMPORT = `import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';`;

    it('leave the licence above them, and one blank line', () => {
        const text = lines(
            '/**',
            ' * Licence',
            ' */',
            '',
            IMPORT,
            '',
            `import { list } from './list.js';`,
            '',
            wire('ListToolsRequestSchema')
        );
        expect(upgradeText(text).text).toBe(
            lines('/**', ' * Licence', ' */', '', `import { list } from './list.js';`, '', wire(`'tools/list'`))
        );
    });

    it('leave the blank line behind the last of them', () => {
        const text = lines('// Licence', IMPORT, '', wire('ListToolsRequestSchema'));
        expect(upgradeText(text).text).toBe(lines('// Licence', '', wire(`'tools/list'`)));
    });
});

describe('tasks, which SDK v2 does not have', () => {
    it('keep what they import, and register nothing', () => {
        const text = lines(
            `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';`,
            `import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';`,
            ``,
            `const taskStore = new InMemoryTaskStore();`,
            `const server = new McpServer({ name: 'a', version: '1' }, { taskStore });`,
            `server.experimental.tasks.registerToolTask('t', {}, handlers);`
        );
        const { text: upgraded, diagnostics } = upgradeText(text);
        expect(upgraded).toBe(
            text.replace('sdk/server/mcp.js', 'server').replace('.experimental.tasks', '.experimental?.tasks')
        );
        expect(diagnostics.map(({ line, message }) => `${line} ${message}`)).toContainEqual(
            expect.stringMatching(/^6 SDK v2 has no tasks/)
        );
    });
});

describe('a file without the SDK whose handlers take its context', () => {
    it('is upgraded in a project of SDK v1', () => {
        const tool = lines(
            `export const register = server => {`,
            `    server.registerTool('slow', {}, async (args, extra) => wait(extra._meta?.progressToken));`,
            `};`
        );
        const files = new Map([
            ['/p/a.js', SERVER],
            ['/p/tool.js', tool]
        ]);
        expect(upgradeSdk({ files }).files.get('/p/tool.js')).toContain('ctx.mcpReq._meta');
    });
});
