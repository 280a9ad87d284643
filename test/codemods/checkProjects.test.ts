import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check } from '../../codemods/index.js';
import { PUSH_SERVER, temporaryProject } from '../temporaryProject.js';

const found = (cwd: string): string[] =>
    check({ cwd, paths: [] }).findings.map(({ file, line, rule }) => `${file}:${line} ${rule}`);

/** A client answers what servers ask: these names are right as they are. */
const CLIENTS = {
    'package.json': '{ "name": "client", "type": "module" }\n',
    'src/v1.ts': `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const client = new Client({ name: 'c', version: '1' }, { capabilities: { elicitation: {}, sampling: {}, roots: {} } });
client.setRequestHandler(ElicitRequestSchema, async request => {
    console.log(request.params.message);
    return { action: 'accept', content: {} };
});
client.setRequestHandler(CreateMessageRequestSchema, async () => {
    const reply = await fetch('https://model.example', { method: 'POST' });
    return { model: 'm', role: 'assistant', content: { type: 'text', text: await reply.text() } };
});
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
await client.sendRootsListChanged();
await client.request({ method: 'tools/list' }, ElicitRequestSchema as never);
`,
    'src/v2.ts': `import { Client } from '@modelcontextprotocol/client';

const client = new Client({ name: 'c', version: '1' }, { capabilities: { elicitation: {} } });
client.setRequestHandler('elicitation/create', async () => ({ action: 'decline' }));
client.setRequestHandler('roots/list', () => ({ roots: [] }));
await client.callTool({ name: 'refund', arguments: {} });
`
};

/** The same names in code of which none has to do with the protocol. */
const LOOK_ALIKES = {
    'package.json': '{ "name": "other", "type": "module" }\n',
    'src/chat.ts': `export class Chat {
    createMessage(text: string): { text: string } {
        return { text };
    }
    listRoots(): string[] {
        return ['oak'];
    }
}
const chat = new Chat();
chat.createMessage('hello');
chat.listRoots();
setTimeout(() => chat.createMessage('later'), 10);
`,
    'src/orm.js': `import { EventEmitter } from 'node:events';
const emitter = new EventEmitter();
emitter.once('ready', () => emitter.emit('need', 'x'));
const needs = { need: (key, value) => [key, value] };
needs.need('roots', needs);
export const server = { request: options => fetch(options.url, { method: 'sampling' }) };
server.request({ method: 'GET', url: '/' });
`
};

describe('check', { timeout: 120_000 }, () => {
    it('finds nothing in clients', () => {
        expect(found(temporaryProject(CLIENTS))).toEqual([]);
    });

    it('finds nothing where only names are alike', () => {
        expect(found(temporaryProject(LOOK_ALIKES))).toEqual([]);
    });

    it('names what it cannot read, and checks the rest', () => {
        const folder = temporaryProject({
            ...PUSH_SERVER,
            'tsconfig.json': '{ "extends": "./tsconfig.other.json" }',
            'tsconfig.other.json': '{ "extends": "./tsconfig.json" }',
            'src/broken.ts': "import '@modelcontextprotocol/server';\nserver.elicitInput({ message: ;\n",
            'src/generated.js': `// @modelcontextprotocol/server\nexport const table = [${'1, '.repeat(1_700_000)}0];\n`,
            ...Object.fromEntries(
                Array.from({ length: 50 }, (_, index) => [`packages/p${index}/package.json`, `{ "name": "p${index}" }`])
            )
        });
        writeFileSync(join(folder, 'src/binary.ts'), Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28]));
        mkdirSync(join(folder, 'src/loop'));
        symlinkSync('../loop', join(folder, 'src/loop/again'));
        const { findings, failures } = check({ cwd: folder, paths: [] });
        expect(findings.map(({ rule }) => rule)).toEqual(['elicit-input']);
        expect(failures.map(({ file, code }) => [file, code])).toEqual([
            ['src/binary.ts', 'unreadable-file'],
            ['src/broken.ts', 'syntax-error'],
            ['src/generated.js', 'too-large']
        ]);
    });

    it('finds the same calls where nothing is installed and where types are any', () => {
        const text = PUSH_SERVER['src/server.ts']!;
        const folder = temporaryProject({
            'package.json': '{ "name": "old", "type": "commonjs" }\n',
            'server.js': text
                .replace(
                    "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';",
                    "const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');"
                )
                .replace(/import .*stdio\.js';\n/, '')
                .replace(/await server\.connect[^\n]*\n/, ''),
            'any.ts':
                'export async function ask(server: any) {\n    return server.elicitInput({ message: "Name?" });\n}\n'
        });
        expect(found(folder)).toEqual(['any.ts:2 elicit-input', 'server.js:6 elicit-input']);
    });
});
