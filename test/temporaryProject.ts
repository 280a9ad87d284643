import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder with these files, gone when the test ends. */
export function temporaryProject(files: Record<string, string>): string {
    const folder = makeProject(files);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
}

/** The same for all tests of a `describe`, whose body it is called in: one slow migration, many things to say of it. */
export function suiteProject(files: Record<string, string>): string {
    const folder = makeProject(files);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
}

function makeProject(files: Record<string, string>): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-mrtr-test-')));
    for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
    }
    return folder;
}

/** Puts a folder under git, with everything in it committed. */
export function commitAll(folder: string): void {
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'all');
}

export function readText(folder: string, path: string): string {
    return readFileSync(join(folder, path), 'utf8');
}

/** A push-style server of SDK v1, as small as it gets. */
export const PUSH_SERVER: Record<string, string> = {
    'package.json': `{
  "name": "greeter",
  "version": "1.0.0",
  "type": "module",
  "dependencies": { "@modelcontextprotocol/sdk": "^1.20.0", "zod": "^4.2.0" }
}
`,
    'src/server.ts': `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'greeter', version: '1.0.0' });

server.registerTool('greet', { description: 'Greets' }, async () => {
    const answer = await server.server.elicitInput({
        message: 'What is your name?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    });
    return { content: [{ type: 'text', text: answer.action === 'accept' ? \`Hello \${answer.content?.name}\` : 'Bye' }] };
});

await server.connect(new StdioServerTransport());
`
};

/** The same folder shape with no MCP in it. */
export const OTHER_PROJECT: Record<string, string> = {
    'package.json': '{ "name": "adder", "version": "1.0.0", "type": "module" }\n',
    'src/add.ts': 'export const add = (a: number, b: number): number => a + b;\n'
};
