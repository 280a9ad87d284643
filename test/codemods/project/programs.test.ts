import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runPipeline } from '../../../codemods/pipeline.js';

const SDK = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
`;

/** A tool that goes on without asking where the client said at the handshake that it cannot be asked: it is left. */
const PLUGIN = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
export function load(server: McpServer) {
    let asks = false;
    server.server.oninitialized = () => { asks = server.server.getClientCapabilities()?.elicitation !== undefined; };
    server.registerTool('wipe', {}, async () => {
        if (asks) await server.server.elicitInput({ message: 'Wipe?', requestedSchema: { type: 'object', properties: {} } });
        return { content: [] };
    });
}
`;

const MADE = `const server = new McpServer({ name: 'a', version: '1' });`;
const CONNECT = `await server.connect(new StdioServerTransport());`;

/** Nothing of it is on disk. */
const ROOT = join(import.meta.dirname, 'programs');

/** The first folder of a path is its package. */
const packageName = (path: string): string => path.split('/')[0] ?? '';

const FILES = {
    'app/main.ts': `${SDK}import { load } from 'plugin';\n${MADE}\nload(server);\n${CONNECT}\n`,
    'plugin/index.ts': `export { load } from './tools';\n`,
    'plugin/tools.ts': PLUGIN,
    'joined/main.ts': `import { load } from './plugin.js';\nimport { serve, server } from './start.js';\nload(server);\nawait serve();\n`,
    'joined/plugin.ts': PLUGIN,
    'joined/serve.ts': `${SDK}export ${MADE}\nexport async function serve() {\n    ${CONNECT}\n}\n`,
    'loader/main.ts': `${SDK}${MADE}\nfor (const name of process.argv) (await import(name)).load(server);\n${CONNECT}\n`,
    'loader/plugins/wipe.ts': PLUGIN,
    'apart/main.ts': `${SDK}${MADE}\n${CONNECT}\n`,
    'apart/other.ts': `${SDK}import { load } from './plugin.js';\n${MADE}\nload(server);\n${CONNECT}\n`,
    'apart/plugin.ts': PLUGIN,
    'part/main.ts': `${SDK}import { load } from './beside/plugin.js';\n${MADE}\nload(server);\n${CONNECT}\n`
};

/** What is not migrated: it has no word of the protocol, or was not asked for. */
const BESIDE = {
    'joined/start.ts': `export { serve, server } from './serve.js';\n`,
    'part/beside/plugin.ts': PLUGIN
};

describe('an ask that is left keeps an entry back', () => {
    const left = new Set<string | undefined>();
    const moved = new Set<string>();

    beforeAll(() => {
        const result = runPipeline({
            root: ROOT,
            files: new Map(Object.entries(FILES).map(([path, text]) => [join(ROOT, path), text])),
            workspace: new Map(Object.keys(FILES).map(path => [packageName(path), join(ROOT, packageName(path))])),
            packageOf: path => join(ROOT, packageName(relative(ROOT, path))),
            readFile: path => new Map(Object.entries(BESIDE)).get(relative(ROOT, path)),
            partial: true
        });
        for (const { code, file } of result.diagnostics) if (code === 'entry-left') left.add(file);
        for (const path of Object.keys(FILES)) {
            if (/serveStdio\(/.test(result.texts.get(join(ROOT, path)) ?? '')) moved.add(path);
        }
    }, 120_000);

    it('in whatever the entry imports, through packages of the workspace and without extensions', () => {
        expect(left).toContain('app/main.ts');
    });

    it('where one file imports both, the entry and the ask', () => {
        expect(left).toContain('joined/serve.ts');
    });

    it('where it asks in a file that was not to be migrated', () => {
        expect(left).toContain('part/main.ts');
    });

    it('where it is not written which files are loaded', () => {
        expect(left).toContain('loader/main.ts');
    });

    it('and none of another program', () => {
        expect(left).toContain('apart/other.ts');
        expect([...moved]).toEqual(['apart/main.ts']);
    });
});
