import { describe, expect, it } from 'vitest';
import { runPipeline } from '../../codemods/pipeline.js';
import type { PipelineResult } from '../../codemods/pipeline.js';

const ROOT = '/shop';

function migrated(files: Record<string, string>, workspace?: ReadonlyMap<string, string>): PipelineResult {
    return runPipeline({
        root: ROOT,
        files: new Map(Object.entries(files).map(([path, text]) => [`${ROOT}/${path}`, text])),
        packageOf: path => [...(workspace?.values() ?? [])].find(folder => path.startsWith(`${folder}/`)) ?? ROOT,
        ...(workspace === undefined ? {} : { workspace }),
        readFile: () => undefined
    });
}

const CONFIRM = `import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

export async function confirm(server: McpServer, message: string): Promise<boolean> {
    if (!server.server.getClientCapabilities()?.elicitation) return false;
    const { action } = await server.server.elicitInput({ message, requestedSchema: { type: 'object', properties: {} } });
    return action === 'accept';
}
`;

const serverOf = (from: string): string => `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { confirm } from '${from}';

export const server = new McpServer({ name: 'shop', version: '1.0.0' });

server.registerTool('refund', {}, async () => {
    const text = (await confirm(server, 'Refund?')) ? 'refunded' : 'kept';
    return { content: [{ type: 'text', text }] };
});
`;

describe('an ask that no context can be handed to', () => {
    it('asks the server of the test where tests call it, and keeps its parameters', () => {
        const { texts, sites } = migrated({
            'confirm.ts': CONFIRM,
            'server.ts': serverOf('./confirm.js'),
            'confirm.test.ts': `import { confirm } from './confirm.js';
const elicitInput = (): Promise<{ action: 'decline' }> => Promise.resolve({ action: 'decline' });
const server: any = { server: { getClientCapabilities: () => ({ elicitation: {} }), elicitInput } };
if (await confirm(server, 'Sure?')) throw new Error('declined is not accepted');
`
        });
        const confirm = texts.get(`${ROOT}/confirm.ts`);
        expect(confirm).toContain('confirm(server: McpServer, message: string)');
        expect(confirm).toContain("await need('confirm', elicit({ message,");
        expect(confirm).toContain('}), server.server)');
        expect(confirm).toContain('clientCapabilities(undefined, server.server)?.elicitation');
        expect(texts.get(`${ROOT}/server.ts`)).toContain("'refund', {}, resumable(async () =>");
        expect(sites.map(({ status, reason }) => ({ status, reason }))).toEqual([{ status: 'migrated', reason: '' }]);
    });

    it('of a library parks the servers of the packages that use it, and no others', () => {
        const called = `export const run = { handler: (server: never) => import('@shop/confirm').then(it => it.confirm(server, 'Go?')) };\n`;
        const bare = serverOf('')
            .replace(/import \{ confirm \}.*\n/, '')
            .replace(/\(await confirm.*'kept'/, `'kept'`);
        const { texts, sites } = migrated(
            { 'confirm/index.ts': CONFIRM, 'till/run.ts': called, 'till/server.ts': bare, 'desk/server.ts': bare },
            new Map([
                ['@shop/confirm', `${ROOT}/confirm`],
                ['@shop/till', `${ROOT}/till`],
                ['@shop/desk', `${ROOT}/desk`]
            ])
        );
        expect(sites.map(({ status, mode }) => ({ status, mode }))).toEqual([{ status: 'review', mode: 'park' }]);
        expect(texts.get(`${ROOT}/till/server.ts`)).toContain("{ mode: 'park' })");
        expect(texts.get(`${ROOT}/desk/server.ts`)).not.toContain('attach(');
    });
});
