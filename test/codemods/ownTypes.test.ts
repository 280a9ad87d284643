import { expect, it } from 'vitest';
import { migrate } from '../../codemods/index.js';
import { temporaryProject } from '../temporaryProject.js';

const MANIFEST = JSON.stringify({
    name: 'n',
    type: 'module',
    dependencies: { '@modelcontextprotocol/sdk': '^1.20.0' }
});

it('casts the parameters of a question where the project has an interface of its own for them', () => {
    const folder = temporaryProject({
        'package.json': MANIFEST,
        'asker.ts': `import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
export interface Asker {
    elicitInput(params: { message: string; requestedSchema: Record<string, unknown> }): Promise<ElicitResult>;
}
const form = (): Record<string, unknown> => ({ type: 'object', properties: { sure: { type: 'boolean' } } });
export async function isSure(asker: Asker): Promise<boolean> {
    const { action, content } = await asker.elicitInput({ message: 'Sure?', requestedSchema: form() });
    return action === 'accept' && content?.['sure'] === true;
}
`,
        'server.ts': `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { isSure } from './asker.js';
export const server = new McpServer({ name: 'n', version: '1.0.0' });
server.registerTool('go', {}, async () => ({ content: [{ type: 'text', text: String(await isSure(server.server)) }] }));
`
    });
    const { changes, report } = migrate({ cwd: folder, paths: [] });
    expect(changes.find(({ path }) => path === 'asker.ts')?.after).toContain(
        "elicit({ message: 'Sure?', requestedSchema: form() } as Parameters<typeof elicit>[0])"
    );
    expect(report.diagnostics.filter(({ code }) => code === 'type-error')).toEqual([]);
}, 120_000);

it('a request on a transport is left: its answer does not come from that call', () => {
    const folder = temporaryProject({
        'package.json': MANIFEST,
        'server.ts': `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
const waiting = new Map<string, (answer: unknown) => void>();
async function ask(transport: Transport): Promise<unknown> {
    const answer = new Promise(resolve => waiting.set('1', resolve));
    await transport.send({ jsonrpc: '2.0', id: '1', method: 'elicitation/create', params: { message: 'Go?' } });
    return answer;
}
export const server = new McpServer({ name: 'n', version: '1.0.0' });
server.registerTool('go', {}, async () => ({ content: [{ type: 'text', text: String(await ask(server.server.transport!)) }] }));
`
    });
    const { changes, report } = migrate({ cwd: folder, paths: [] });
    expect(changes).toEqual([]);
    expect(report.sites).toMatchObject([
        { status: 'manual', reason: expect.stringContaining('a transport') as string }
    ]);
}, 120_000);

it('says where the SDK upgrade leaves a project that does not compile, and begins with the first error', () => {
    const folder = temporaryProject({
        'package.json': MANIFEST,
        'server.ts': `import { McpServer, type ToolCallback } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ZodRawShapeCompat } from '@modelcontextprotocol/sdk/server/zod-compat.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
export class Shop extends McpServer {
    constructor() {
        super({ name: 'n', version: '1.0.0' });
        this.registerTool('go', {}, async () => {
            await this.server.elicitInput({ message: 'Go?', requestedSchema: { type: 'object', properties: {} } });
            return { content: [] };
        });
    }
    add<Args extends ZodRawShapeCompat>(name: string, inputSchema: Args, callback: ToolCallback<Args>): void {
        this.registerTool(name, { inputSchema }, callback);
    }
    override async connect(transport: Transport): Promise<void> {
        await super.connect(transport);
    }
}
`
    });
    const { diagnostics, summary } = migrate({ cwd: folder, paths: [] }).report;
    const { before, afterSdkUpgrade } = summary.typeErrors!;
    expect(afterSdkUpgrade).toBeGreaterThan(before);
    const named = diagnostics.filter(({ code }) => code === 'sdk-type-error');
    expect(named).toMatchObject([{ level: 'warning', file: 'server.ts' }]);
    expect(named[0]?.message).toContain("TS2304: Cannot find name 'ZodRawShapeCompat'");
    // The override only hands on what it is called with.
    expect(diagnostics.map(({ code }) => code)).not.toContain('entry-left');
}, 120_000);
