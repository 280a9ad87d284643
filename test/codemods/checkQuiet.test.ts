import { describe, expect, it } from 'vitest';
import { check } from '../../codemods/index.js';
import { temporaryProject } from '../temporaryProject.js';

const IMPORTS = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
declare const server: McpServer;
declare const FORM: { type: 'object'; properties: {} };
`;

/** Each file is a shape of code that was reported once, and is in order. */
const QUIET = {
    'package.json': '{ "name": "quiet", "type": "module" }\n',
    // A request of its own name: nothing of the SDK, and nothing of the framework.
    'src/ownMethod.ts': `import { Flow } from '@frontmcp/sdk';
export class ListFlow extends Flow {
    private sample(names: string[]) { return names.slice(0, 3); }
    preview(names: string[]) { return this.sample(names).join(', '); }
}
`,
    'src/ownCapabilities.ts': `export function setUp(getClientCapabilities?: () => object) {
    return getClientCapabilities?.() ?? {};
}
export const read = (service: { getClientCapabilities(session: string): object }) => service.getClientCapabilities('s');
`,
    // Results of SDK v2 are not sent.
    'src/rounds.ts': `import { McpServer, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';
declare const server: McpServer;
server.registerTool('ask', { inputSchema: z.object({}) }, async (args, ctx) => {
    const text = (ctx.mcpReq.inputResponses?.['greeting'] as { content?: { text?: string } } | undefined)?.content?.text;
    if (typeof text === 'string') return { content: [{ type: 'text', text }] };
    return inputRequired({
        inputRequests: { greeting: inputRequired.createMessage({ messages: [], maxTokens: 10 }), roots: inputRequired.listRoots() }
    });
});
`
};

/** Files with one ask each; beside it nothing is to be reported. */
const ASKS_ONLY = {
    'package.json': '{ "name": "asks", "type": "module" }\n',
    'src/lastTurn.ts': `${IMPORTS}import { appendFile } from 'node:fs/promises';
server.registerTool('pay', {}, async () => {
    for (let paid = false; !paid;) {
        const answer = await server.server.elicitInput({ message: 'Paid?', requestedSchema: FORM });
        if (answer.action === 'accept') {
            await appendFile('paid.log', 'x');
            return { content: [] };
        }
    }
    return { content: [] };
});
`,
    'src/oneTurn.ts': `${IMPORTS}server.registerTool('steps', {}, async () => {
    for (let step = 0; step < 4; step++) {
        if (step === 2) {
            const answer = await server.server.elicitInput({ message: 'Go on?', requestedSchema: FORM });
            if (answer.action !== 'accept') break;
        }
    }
    return { content: [] };
});
`,
    'src/traced.ts': `${IMPORTS}declare const Effect: { fnUntraced<T>(run: () => Promise<T>): Promise<T> };
server.registerTool('traced', {}, async () => {
    const answer = await Effect.fnUntraced(async () => {
        const asked = await server.server.elicitInput({ message: 'Sure?', requestedSchema: FORM });
        return asked.action;
    });
    return { content: [{ type: 'text', text: answer }] };
});
`,
    'src/child.ts': `${IMPORTS}import { spawn } from 'node:child_process';
async function looked() {
    const child = spawn('git', ['status']);
    child.on('exit', () => undefined);
    child.kill('SIGTERM');
}
server.registerTool('child', {}, async () => {
    await looked();
    const answer = await server.server.elicitInput({ message: 'Sure?', requestedSchema: FORM });
    return { content: [{ type: 'text', text: answer.action }] };
});
`,
    'src/look.ts': `${IMPORTS}import { open as openFile } from 'node:fs/promises';
import { rename } from 'node:fs/promises';
async function expire() { await rename('grants.json', 'grants.old'); }
async function grants() { const file = await openFile('grants.json'); await expire(); return file.readFile('utf8'); }
async function checkGrant(name: string) { return (await grants()).includes(name); }
server.registerTool('guarded', {}, async () => {
    if (!(await checkGrant('guarded'))) return { content: [] };
    const answer = await server.server.elicitInput({ message: 'Sure?', requestedSchema: FORM });
    return { content: [{ type: 'text', text: answer.action }] };
});
`
};

/** What nobody waits for is no round, so nothing of it happens again in one. */
const BACKGROUND = {
    'package.json': '{ "name": "background", "type": "module" }\n',
    'src/background.ts': `${IMPORTS}import { appendFile } from 'node:fs/promises';
async function research() {
    await appendFile('research.log', 'started');
    const answer = await server.server.elicitInput({ message: 'Which one?', requestedSchema: FORM });
    await appendFile('research.log', answer.action);
}
server.registerTool('research', {}, async () => {
    research().catch(console.error);
    return { content: [] };
});
`
};

const found = (files: Record<string, string>): string[] =>
    check({ cwd: temporaryProject(files), paths: [] }).findings.map(({ file, rule }) => `${file} ${rule}`);

describe('check is quiet', { timeout: 120_000 }, () => {
    it('about names that are alike and results that are returned', () => {
        expect(found(QUIET)).toEqual([]);
    });

    it('about what does not come before the ask, or only looks', () => {
        expect(found(ASKS_ONLY)).toEqual([
            'src/child.ts elicit-input',
            'src/lastTurn.ts ask-in-loop',
            'src/lastTurn.ts elicit-input',
            'src/look.ts elicit-input',
            'src/oneTurn.ts elicit-input',
            'src/traced.ts elicit-input'
        ]);
    });

    it('about rounds where none comes', () => {
        expect(found(BACKGROUND)).toEqual(['src/background.ts elicit-input', 'src/background.ts ask-after-return']);
    });

    it('about the many users of what asks outside of a request: it says that once, at the ask', () => {
        const users = Array.from({ length: 5 }, (_, index) => [
            `src/user${index}.ts`,
            `import { start } from './start.js';\nawait start();\n`
        ]);
        const start = `${IMPORTS}export async function start() {\n    return server.server.listRoots();\n}\n`;
        expect(
            found({
                'package.json': '{ "name": "many", "type": "module" }\n',
                'src/start.ts': start,
                ...(Object.fromEntries(users) as Record<string, string>)
            })
        ).toEqual(['src/start.ts ask-outside-request', 'src/start.ts list-roots']);
    });
});
