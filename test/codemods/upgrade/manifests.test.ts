import { describe, expect, it } from 'vitest';
import { declaredPackages, editSection } from '../../../codemods/upgrade/manifestText.js';
import { ownManifest } from '../../../codemods/project/packages.js';
import { upgradeManifests } from '../../../codemods/upgrade/upgradeManifests.js';

const V1 = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n`;
const V2 = `import { McpServer } from '@modelcontextprotocol/server';\n`;
const OWN = `^${ownManifest().version}`;

const map = (files: Record<string, string>) => new Map(Object.entries(files));

/** package.json of one package whose files changed from `before` to `after`. */
function upgraded(manifest: string, before: Record<string, string>, after: Record<string, string>, keepZod = false) {
    const result = upgradeManifests({
        manifests: map({ '/p/package.json': manifest }),
        before: map(before),
        after: map(after),
        keepZod
    });
    const change = result.manifests.get('/p/package.json');
    return { text: change?.after ?? manifest, notes: change?.notes ?? [], diagnostics: result.diagnostics };
}

describe('package.json of a migrated package', () => {
    it('declares a zod that only came with SDK v1', () => {
        const zod = `import { z } from 'zod';\n`;
        const manifest = `{ "dependencies": { "@modelcontextprotocol/sdk": "^1.20.0" } }`;
        const { text, notes } = upgraded(manifest, { '/p/a.js': V1 + zod }, { '/p/a.js': V2 + zod });
        expect(JSON.parse(text)).toEqual({
            dependencies: { '@modelcontextprotocol/server': '^2.4.0', zod: ownManifest().peerDependencies?.['zod'] }
        });
        expect(notes).toContainEqual(expect.stringContaining('which came with @modelcontextprotocol/sdk'));
    });

    it.each([
        [`{ "dependencies": {} }`, { devDependencies: { '@types/node': ownManifest().dependencies?.['@types/node'] } }],
        [`{ "devDependencies": { "@types/node": "^22" } }`, { devDependencies: { '@types/node': '^22' } }]
    ])('has the types of Node for the module that reads the key: %s', (manifest, expected) => {
        const runtime = `import { createMrtr } from 'mcp-mrtr';\nexport const m = createMrtr({ key: process.env.KEY });`;
        const { text } = upgraded(manifest, { '/p/a.ts': V1 }, { '/p/a.ts': V2, '/p/mrtr.ts': runtime });
        expect(JSON.parse(text)).toMatchObject(expected);
    });

    it('loses SDK v1, gains what its files import now, and keeps every other character', () => {
        const manifest = `{\n\t"name":"p",\n\t"dependencies": {\n\t\t"@modelcontextprotocol/sdk": "^1.20.0",\n\t\t"express" : "5.1.0",\n\t\t"zod": "^4.3.0"\n\t},\n\t"engines": { "node": ">=18" }\n}`;
        const { text, notes } = upgraded(
            manifest,
            { '/p/src/a.ts': V1 },
            {
                '/p/src/a.ts': V2 + `import { attach } from './mrtr.js';`,
                '/p/src/mrtr.ts': `import { createMrtr } from 'mcp-mrtr';`
            }
        );
        expect(text).toBe(
            `{\n\t"name":"p",\n\t"dependencies": {\n\t\t"@modelcontextprotocol/server": "^2.4.0",\n\t\t"express" : "5.1.0",\n\t\t"mcp-mrtr": "${OWN}",\n\t\t"zod": "^4.3.0"\n\t},\n\t"engines": { "node": ">=18" }\n}`
        );
        expect(notes).toEqual([
            'added @modelcontextprotocol/server ^2.4.0',
            `added mcp-mrtr ${OWN}`,
            'removed @modelcontextprotocol/sdk'
        ]);
    });

    it('gets each v2 package that is imported, however, and those that it wants beside it', () => {
        const { text } = upgraded(
            '{ "dependencies": { "@modelcontextprotocol/sdk": "^1.20.0" } }',
            { '/p/a.ts': V1, '/p/b.cjs': `require('@modelcontextprotocol/sdk/types.js')` },
            {
                '/p/a.ts': `export * from '@modelcontextprotocol/client';\nconst n = await import('@modelcontextprotocol/node');`,
                '/p/b.cjs': `const { ElicitResultSchema } = require('@modelcontextprotocol/core'); require('left-pad');`
            }
        );
        expect(JSON.parse(text)).toEqual({
            dependencies: {
                '@modelcontextprotocol/client': '^2.4.0',
                '@modelcontextprotocol/core': '^2.4.0',
                '@modelcontextprotocol/node': '^2.1.2',
                '@modelcontextprotocol/server': '^2.4.0'
            }
        });
    });

    it('keeps SDK v1 while a file imports it', () => {
        const manifest = '{ "dependencies": { "@modelcontextprotocol/sdk": "^1.20.0" } }';
        const { text, notes } = upgraded(manifest, { '/p/a.ts': V1, '/p/b.ts': V1 }, { '/p/a.ts': V2, '/p/b.ts': V1 });
        expect(JSON.parse(text)).toEqual({
            dependencies: { '@modelcontextprotocol/sdk': '^1.20.0', '@modelcontextprotocol/server': '^2.4.0' }
        });
        expect(notes).toContain('kept @modelcontextprotocol/sdk, which some files still import');
    });

    it('gets SDK v2 where SDK v1 was', () => {
        const manifest =
            '{ "devDependencies": { "@modelcontextprotocol/sdk": "1.x" }, "peerDependencies": { "@modelcontextprotocol/sdk": "1.x" } }';
        const { text } = upgraded(manifest, { '/p/a.ts': V1 }, { '/p/a.ts': V2 + `import 'mcp-mrtr';` });
        expect(JSON.parse(text)).toEqual({
            devDependencies: { '@modelcontextprotocol/server': '^2.4.0' },
            peerDependencies: { '@modelcontextprotocol/server': '^2.4.0' },
            dependencies: { 'mcp-mrtr': OWN }
        });
    });

    it('does not change when no import does, and not a second time', () => {
        const manifest = '{ "dependencies": { "@modelcontextprotocol/sdk": "^1.20.0", "zod": "3" } }';
        expect(upgraded(manifest, { '/p/a.ts': V1 }, { '/p/a.ts': V1 + '// edited' }).text).toBe(manifest);
        const once = upgraded(manifest, { '/p/a.ts': V1 }, { '/p/a.ts': V2 }).text;
        expect(once).not.toBe(manifest);
        expect(upgraded(once, { '/p/a.ts': V2 }, { '/p/a.ts': V2 }).text).toBe(once);
    });

    it('that is no JSON is named, and left', () => {
        const { text, diagnostics } = upgraded('{ "dependencies": ', { '/p/a.ts': V1 }, { '/p/a.ts': V2 });
        expect(text).toBe('{ "dependencies": ');
        expect(diagnostics).toEqual([
            {
                level: 'error',
                code: 'manifest',
                file: '/p/package.json',
                message: expect.stringContaining('Declare the packages') as string
            }
        ]);
    });
});

describe('zod', () => {
    const raised = (range: string, keepZod = false) => {
        const { text } = upgraded(
            JSON.stringify({ dependencies: { '@modelcontextprotocol/sdk': '1', zod: range } }),
            { '/p/a.ts': V1 },
            { '/p/a.ts': V2 },
            keepZod
        );
        return declaredPackages(text).dependencies.get('zod');
    };

    it.each([
        '^3.23.8',
        '~3.25.0',
        '3',
        '3.x',
        '^4.0.0',
        '4.1.12',
        '~4.1',
        '>=3.20',
        '^3.25 || ^4.0',
        '3.25.0 - 4.9.0',
        '>=3 <5',
        '4',
        '^4',
        'v4.1.0'
    ])('is raised from %s', range => {
        expect(raised(range)).toBe('^4.2.0');
    });

    it.each([
        '^4.2.0',
        '^4.3.5',
        '4.2.1',
        '~4.6',
        '>=4.2',
        '>= 4.2.0',
        '>=4.2 <5',
        '^4.2.0 || ^5',
        '^5.0.0',
        '*',
        'latest',
        '4.2.0 - 4.9.0'
    ])('stays %s', range => {
        expect(raised(range)).toBe(range);
    });

    it.each(['workspace:*', 'catalog:', 'github:colinhacks/zod', 'next', 'file:../zod'])(
        'that is %s stays, with a note',
        range => {
            const { notes } = upgraded(
                JSON.stringify({ dependencies: { '@modelcontextprotocol/sdk': '1', zod: range } }),
                { '/p/a.ts': V1 },
                { '/p/a.ts': V2 }
            );
            expect(raised(range)).toBe(range);
            expect(notes).toContain(`zod is declared as ${range}; SDK v2 needs ^4.2.0`);
        }
    );

    it('is raised with a diagnostic, and not with keepZod', () => {
        const manifest = '{ "dependencies": { "@modelcontextprotocol/sdk": "1", "zod": "^3.23.8" } }';
        expect(upgraded(manifest, { '/p/a.ts': V1 }, { '/p/a.ts': V2 }).diagnostics).toEqual([
            {
                level: 'info',
                code: 'zod-raised',
                file: '/p/package.json',
                message: expect.stringContaining('zod ^3.23.8 became ^4.2.0') as string
            }
        ]);
        expect(raised('^3.23.8', true)).toBe('^3.23.8');
    });

    it('is added where the upgrade imported it', () => {
        const { text } = upgraded(
            '{ "dependencies": { "@modelcontextprotocol/sdk": "1" } }',
            { '/p/a.ts': V1 },
            { '/p/a.ts': V2 + `import { z } from 'zod';` }
        );
        expect(declaredPackages(text).dependencies.get('zod')).toBe('^4.2.0');
    });
});

describe('a workspace', () => {
    it('gets the packages of a member at the root if the member had the SDK from there', () => {
        const manifests = map({
            '/w/package.json':
                '{ "workspaces": ["packages/*"], "dependencies": { "@modelcontextprotocol/sdk": "1", "zod": "^3.23.8" } }',
            '/w/packages/a/package.json': '{ "name": "a" }',
            '/w/packages/b/package.json': '{ "name": "b", "dependencies": { "@modelcontextprotocol/sdk": "1" } }'
        });
        const { manifests: changed } = upgradeManifests({
            manifests,
            before: map({ '/w/packages/a/a.ts': V1, '/w/packages/b/b.ts': V1 }),
            after: map({ '/w/packages/a/a.ts': V2, '/w/packages/b/b.ts': V2 + `import 'mcp-mrtr';` })
        });
        expect([...changed].map(([path, { after }]) => [path, JSON.parse(after) as unknown])).toEqual([
            [
                '/w/package.json',
                {
                    workspaces: ['packages/*'],
                    dependencies: { '@modelcontextprotocol/server': '^2.4.0', zod: '^4.2.0' }
                }
            ],
            [
                '/w/packages/b/package.json',
                { name: 'b', dependencies: { '@modelcontextprotocol/server': '^2.4.0', 'mcp-mrtr': OWN } }
            ]
        ]);
    });
});

describe('a section of a package.json', () => {
    const edit = (text: string, ...edits: [string, string | undefined][]) =>
        editSection(text, 'dependencies', new Map(edits));

    it.each([
        ['on one line', '{ "dependencies": { "b": "1" } }', '{ "dependencies": { "a": "2", "b": "1" } }'],
        ['without spaces', '{"dependencies":{"b":"1"}}', '{"dependencies":{"a": "2", "b":"1"}}'],
        [
            'with CRLF and tabs',
            '{\r\n\t"dependencies": {\r\n\t\t"b": "1"\r\n\t}\r\n}\r\n',
            '{\r\n\t"dependencies": {\r\n\t\t"a": "2",\r\n\t\t"b": "1"\r\n\t}\r\n}\r\n'
        ],
        [
            'in an order of its own',
            '{ "dependencies": { "z": "1", "b": "1" } }',
            '{ "dependencies": { "z": "1", "b": "1", "a": "2" } }'
        ],
        ['that is empty', '{\n  "dependencies": {}\n}\n', '{\n  "dependencies": {\n    "a": "2"\n  }\n}\n'],
        [
            'that is missing',
            '{\n    "name": "p"\n}\n',
            '{\n    "name": "p",\n    "dependencies": {\n        "a": "2"\n    }\n}\n'
        ],
        [
            'beside one of the same name deeper down',
            '{ "x": { "dependencies": { "c": "1" } }, "dependencies": { "b": "1" } }',
            '{ "x": { "dependencies": { "c": "1" } }, "dependencies": { "a": "2", "b": "1" } }'
        ]
    ])('%s takes a new package', (_, before, after) => {
        expect(edit(before, ['a', '2'])).toBe(after);
    });

    it('loses its only package, and changes a range in place', () => {
        expect(edit('{ "dependencies": { "a": "1" }, "x": 1 }', ['a', undefined])).toBe(
            '{ "dependencies": {}, "x": 1 }'
        );
        expect(edit('{ "dependencies": { "a" :  "1" } }', ['a', '2'])).toBe('{ "dependencies": { "a" :  "2" } }');
    });

    it('of something that is not a manifest is an error', () => {
        expect(() => edit('[]', ['a', '1'])).toThrow('not a JSON object');
        expect(() => edit('{ "dependencies": { "a": 1 } }', ['a', '1'])).toThrow(
            '"dependencies" is not an object of ranges'
        );
        expect(() => edit('{ // no\n }', ['a', '1'])).toThrow('JSON');
    });
});
