import { expect, it } from 'vitest';
import { migrate } from '../../codemods/index.js';
import { temporaryProject } from '../temporaryProject.js';

const MANIFEST = JSON.stringify({
    name: 'n',
    type: 'module',
    dependencies: { '@modelcontextprotocol/sdk': '^1.20.0' }
});

const SERVER = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
export const server = new McpServer({ name: 'n', version: '1.0.0' });
export async function ask(host: any): Promise<string> {
    const { action } = await host.elicitInput({ message: 'Go?', requestedSchema: { type: 'object', properties: {} } });
    return action;
}
server.registerTool('go', {}, async () => ({ content: [{ type: 'text', text: await ask(SERVER) }] }));
`;

it('a repository in which no call can be rewritten stays as it is, and that is said', () => {
    const folder = temporaryProject({
        'package.json': MANIFEST,
        'server.ts': SERVER.replace('SERVER', '{ elicitInput: server.server.elicitInput }')
    });
    const { changes, report } = migrate({ cwd: folder, paths: [] });
    expect(changes).toEqual([]);
    expect(report.summary.byStatus).toMatchObject({ migrated: 0, review: 0 });
    expect(report.diagnostics.map(({ code }) => code)).toEqual(['nothing-migrated']);
}, 120_000);

it('a function that tests mock is passed on nowhere', () => {
    const folder = temporaryProject({
        'package.json': MANIFEST,
        'server.ts': SERVER.replace('host: any', 'host: McpServer["server"]').replace('SERVER', 'server.server'),
        'server.test.ts': `import { ask } from './server.js';\ndeclare const vi: any;\nvi.mocked(ask).mockResolvedValue('accept');\n`
    });
    expect(migrate({ cwd: folder, paths: [] }).report.sites).toMatchObject([{ status: 'migrated', reason: '' }]);
}, 120_000);
