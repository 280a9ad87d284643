import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrate } from '../../codemods/index.js';
import { loadProject } from '../../codemods/loadProject.js';
import { temporaryProject } from '../temporaryProject.js';

/** JavaScript: files are given a server, and do not name the SDK. */
const FILES = {
    'package.json': JSON.stringify({
        name: 'n',
        type: 'module',
        dependencies: { '@modelcontextprotocol/sdk': '^1.20.0' }
    }),
    'server.js': `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Asker } from './asker.js';
import { addTools } from './tools/index.js';

const server = new McpServer({ name: 'n', version: '1.0.0' });
addTools(server, new Asker(server));
`,
    'asker.js': `export class Asker {
    constructor(server) {
        this.server = server;
    }
    ask(message) {
        return this.server.server.elicitInput({ message, requestedSchema: { type: 'object', properties: {} } });
    }
}
`,
    'tools/index.js': `import { addJobs } from './jobs.js';
export function addTools(server, asker) {
    server.tool('ping', {}, async () => ({ content: [] }));
    addJobs(server, asker);
}
`,
    'tools/jobs.js': `export function addJobs(server, asker) {
    return server.tool('jobs', 'Jobs', {}, async () => {
        const { action } = await asker.ask('Go?');
        return { content: [{ type: 'text', text: action }] };
    });
}
`,
    'other.js': `export const app = { route: host => host.tool('x', {}, () => undefined) };\nserver.tool('x', {}, () => undefined);\n`
};

it('works on the files that register on a server they are given, and on nobody else’s', () => {
    const folder = temporaryProject(FILES);
    const { files } = loadProject(folder, []);
    expect([...files.keys()].sort()).toEqual(
        ['asker.js', 'server.js', 'tools/index.js', 'tools/jobs.js'].map(path => join(folder, path))
    );
});

it('leaves no registration that SDK v2 does not have', () => {
    const { changes } = migrate({ cwd: temporaryProject(FILES), paths: [] });
    const after = Object.fromEntries(changes.map(change => [change.path, change.after]));
    expect(after['tools/jobs.js']).toContain("server.registerTool('jobs', {");
    expect(after['tools/index.js']).toContain("server.registerTool('ping', {");
    expect(after['other.js']).toBeUndefined();
}, 120_000);

it('takes an import of a dependency for none of a file that ends alike', () => {
    const ask = `export const ask = (server: any) => server.elicitInput({ message: 'Go?' });\n`;
    const folder = temporaryProject({
        'package.json': JSON.stringify({ name: 'n', dependencies: { '@acme/kit': '1.0.0' } }),
        'src/mcp.ts': ask,
        'src/events.ts': ask,
        'src/dependency.ts': `import { x } from '@acme/kit/server/mcp.js';\n`,
        'src/builtin.ts': `import { once } from 'node:events';\nimport 'events';\n`,
        'src/alias.ts': `import { ask } from '@/mcp.js';\n`,
        'src/relative.ts': `import { ask } from './events.js';\n`
    });
    const loaded = [...loadProject(folder, []).files.keys()].map(path => path.slice(folder.length + 1)).sort();
    expect(loaded).toEqual(['src/alias.ts', 'src/events.ts', 'src/mcp.ts', 'src/relative.ts']);
});
