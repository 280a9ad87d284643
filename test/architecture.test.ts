import { describe, expect, it } from 'vitest';
import { namelessFiles, violations } from './architecture/rules.js';
import { readSources } from './architecture/sources.js';

const product = readSources(['cli', 'codemods', 'shim']);

describe('the structure of the project', () => {
    it('finds the three folders of the product', () => {
        const folders = new Set([...product.keys()].map(path => path.split('/')[0]));
        expect([...folders].sort()).toEqual(['cli', 'codemods', 'shim']);
    });

    it('has no dependency against the arrows', () => {
        expect(violations(product)).toEqual([]);
    });

    it('has no file without a name of its own', () => {
        expect(namelessFiles([...product.keys(), ...readSources(['test']).keys()])).toEqual([]);
    });
});

describe('the test of the structure', () => {
    const cases: [string, string, string][] = [
        ['codemods/a.ts', `import { x } from '../shim/b.js';`, 'codemods must not know shim'],
        ['codemods/a.ts', `export * from '../cli/b.js';`, 'codemods must not know cli'],
        ['shim/a.ts', `import type { X } from '../codemods/b.js';`, 'shim must not know codemods'],
        ['shim/deep/a.ts', `type X = import('../../cli/b.js').X;`, 'shim must not know cli'],
        ['cli/a.ts', `const x = await import('../test/b.js');`, 'cli must not know test'],
        ['shim/a.ts', `import { need } from 'mcp-mrtr';`, 'by its own name'],
        [
            'codemods/rules/a.ts',
            `import { Project } from 'ts-morph';`,
            'only codemods/project/ and codemods/upgrade/ may'
        ],
        ['shim/exchange/a.ts', `import fs from 'node:fs';`, 'a Node built-in'],
        ['shim/exchange/a.ts', `import fs = require('fs');`, 'a Node built-in'],
        ['shim/exchange/a.ts', `import { Server } from '@modelcontextprotocol/server';`, 'a package'],
        ['shim/handler/a.ts', `console.error('careful');`, 'only cli/ talks to the process'],
        ['shim/handler/debug.ts', `process.stdout.write('careful');`, 'only cli/ talks to the process'],
        ['shim/handler/log.ts', `process.stderr.write('careful');`, 'only cli/ talks to the process'],
        ['codemods/a.ts', `const [, , path] = process.argv;`, 'only cli/ talks to the process']
    ];

    it.each(cases)('reports %s: %s', (path, text, message) => {
        expect(violations(new Map([[path, text]]))).toEqual([expect.stringContaining(message)]);
    });

    it('follows the engine through other folders', () => {
        const sources = new Map([
            ['shim/exchange/a.ts', `import { seal } from '../state/seal.js';`],
            ['shim/state/seal.ts', `import { createHash } from 'node:crypto';`]
        ]);
        expect(violations(sources)).toEqual([expect.stringContaining('shim/state/seal.ts imports node:crypto')]);
    });

    it('is not deceived by comments and strings', () => {
        const text = `// import x from '../shim/b.js'\nconst s = "import y from '../shim/b.js'; console.log(1)";`;
        expect(violations(new Map([['codemods/a.ts', text]]))).toEqual([]);
    });

    it('lets pass what may be imported', () => {
        const sources = new Map([
            ['cli/a.ts', `import { migrate } from '../codemods/index.js'; import { attach } from '../shim/index.js';`],
            ['codemods/project/a.ts', `import { Project } from 'ts-morph';`],
            ['shim/handler/debug.ts', `process.stderr.write('line');`],
            ['shim/exchange/a.ts', `import { AsyncLocalStorage } from 'node:async_hooks'; import './b.js';`]
        ]);
        expect(violations(sources)).toEqual([]);
    });

    it('knows files without a name', () => {
        const paths = ['cli/utils.ts', 'shim/helpers/seal.ts', 'codemods/helper.ts', 'cli/reporters/table.ts'];
        expect(namelessFiles(paths)).toEqual(['cli/utils.ts', 'shim/helpers/seal.ts', 'codemods/helper.ts']);
    });
});
