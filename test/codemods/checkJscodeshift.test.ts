import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import transform from '../../codemods/jscodeshift.js';
import { upgradeSdk } from '../../codemods/upgrade/upgradeSdk.js';
import { readFixtures } from './fixtures.js';

const jscodeshift = createRequire(import.meta.url)('jscodeshift') as Parameters<typeof transform>[1]['jscodeshift'];

const shift = (source: string, path = 'server.ts'): string | undefined => transform({ source, path }, { jscodeshift });

const SERVER = `#!/usr/bin/env node
import { McpServer } from '@modelcontextprotocol/server';

const server = new McpServer({ name: 'shop', version: '1.0.0' });

server.registerTool('refund', { description: 'Refunds' }, async () => {
    // Nobody is refunded without a word.
    const verdict = await server.server.elicitInput({
        message: 'Refund?',
        requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } } }
    });
    if (verdict.action !== 'accept') return { content: [{ type: 'text', text: 'kept' }] };
    return { content: [{ type: 'text', text: await refund() }] };
});
`;

describe('the jscodeshift transform', () => {
    it('rewrites a handler that asks first, and keeps the shebang, the layout and the comments', () => {
        expect(shift(SERVER)).toMatchInlineSnapshot(`
          "#!/usr/bin/env node
          import { McpServer } from '@modelcontextprotocol/server';

          import { elicit } from 'mcp-mrtr';
          import { attach, resumable } from './mrtr.js';

          const server = attach(new McpServer({ name: 'shop', version: '1.0.0' }));

          server.registerTool('refund', { description: 'Refunds' }, resumable(async ctx => {
              // Nobody is refunded without a word.
              const verdict = await ctx.need('verdict', elicit({
                  message: 'Refund?',
                  requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } } }
              }));
              if (verdict.action !== 'accept') return { content: [{ type: 'text', text: 'kept' }] };
              return { content: [{ type: 'text', text: await refund() }] };
          }));
          "
        `);
    });

    it('keeps the line ends of the file', () => {
        const shifted = shift(SERVER.replace(/\n/g, '\r\n'));
        expect(shifted?.replace(/\r\n/g, '')).not.toContain('\n');
    });

    it('changes nothing the second time', () => {
        expect(shift(shift(SERVER) ?? '')).toBeUndefined();
    });

    it.each([
        ['something happens above the ask', SERVER.replace('    // Nobody', "    await log('refund');\n    // Nobody")],
        [
            'the ask is caught',
            SERVER.replace('async () => {', 'async () => {\n    try {').replace('\n});\n', '\n    } finally {}\n});\n')
        ],
        [
            'the client is looked at',
            SERVER.replace(
                '    // Nobody',
                '    if (!server.server.getClientCapabilities()) return kept;\n    // Nobody'
            )
        ],
        ['the call is to be left', SERVER.replace('// Nobody', '// mcp-mrtr-ignore nobody')],
        [
            'the server comes from elsewhere',
            SERVER.replace(/const server = .*\n/, "import { server } from './app.js';\n")
        ],
        ['another ask stands in a helper', `${SERVER}\nconst ask = () => server.server.listRoots();\n`],
        ['the ask has options', SERVER.replace('    });\n    if', '    }, { timeout: 5 });\n    if')],
        [
            'the file is of SDK v1',
            SERVER.replace('@modelcontextprotocol/server', '@modelcontextprotocol/sdk/server/mcp.js')
        ]
    ])('leaves a file where %s', (_, source) => {
        expect(shift(source)).toBeUndefined();
    });

    it('asks the same questions under the same keys as the migration, wherever it rewrites at all', () => {
        const compared: string[] = [];
        for (const { name, path, input, output } of readFixtures()) {
            const upgraded = upgradeSdk({ files: new Map([[path, input]]) }).files.get(path) ?? input;
            const shifted = shift(upgraded, path);
            if (shifted === undefined) continue;
            compared.push(name);
            expect([name, asksOf(shifted)]).toEqual([name, asksOf(output ?? '')]);
            expect([name, handlersOf(shifted)]).toEqual([name, handlersOf(output ?? '')]);
        }
        expect(compared.length).toBeGreaterThanOrEqual(5);
    });
});

/** `need('verdict', elicit(` of each ask, in order. */
const asksOf = (text: string): string[] =>
    text.match(/need\(\s*['"][\w-]+['"],\s*\w+\(/g)?.map(one => one.replace(/\s+/g, '')) ?? [];

/** How often a handler is resumable, and a server attached. */
const handlersOf = (text: string): [number, number] => [
    text.match(/\bresumable\(/g)?.length ?? 0,
    text.match(/\battach\(/g)?.length ?? 0
];
