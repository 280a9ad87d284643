import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usesOf } from './architecture/imports.js';
import { packageOf } from './architecture/rules.js';
import { readSources } from './architecture/sources.js';
import { temporaryProject } from './temporaryProject.js';
import { builtCli, repoRoot } from './repo.js';

/** A project that has installed the built package. */
function consumer(files: Record<string, string>): string {
    builtCli();
    const folder = temporaryProject(files);
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(repoRoot, join(folder, 'node_modules/mcp-mrtr'), 'junction');
    return folder;
}

const node = (folder: string, file: string) =>
    execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });

describe('the built package', () => {
    it('gives CommonJS and ES modules the same runtime', () => {
        const folder = consumer({
            'names.cjs': `console.log(JSON.stringify(Object.keys(require('mcp-mrtr')).sort()));`,
            'names.mjs': `import * as runtime from 'mcp-mrtr'; console.log(JSON.stringify(Object.keys(runtime).sort()));`
        });
        const names = JSON.parse(node(folder, 'names.cjs')) as string[];
        expect(names).toEqual(expect.arrayContaining(['createMrtr', 'elicit', 'elicitUrl', 'listRoots', 'sample']));
        expect(JSON.parse(node(folder, 'names.mjs'))).toEqual(names);
    });

    it('has a command that is executable by itself', () => {
        expect(execFileSync(builtCli(), ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
    });

    it('brings no SDK v1 and no zod under their own names: the project that it is installed into has its own', () => {
        const manifest = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as {
            dependencies: object;
            peerDependencies: object;
            peerDependenciesMeta: Record<string, unknown>;
        };
        const imposed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(
            name => manifest.peerDependenciesMeta[name] === undefined
        );
        expect(imposed).toContain('mcp-sdk-v1');
        expect(imposed).not.toContain('@modelcontextprotocol/sdk');
        expect(imposed).not.toContain('zod');
    });

    it('declares every package that it imports', () => {
        const manifest = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as Record<string, object>;
        const declared = { ...manifest['dependencies'], ...manifest['peerDependencies'] };
        const imported = [...readSources(['cli', 'codemods', 'shim'])]
            .flatMap(([path, text]) => usesOf(path, text).specifiers)
            .filter(specifier => !specifier.startsWith('.') && !isBuiltin(specifier));
        expect(new Set(imported).size).toBeGreaterThan(0);
        expect(imported.map(packageOf).filter(name => !Object.hasOwn(declared, name))).toEqual([]);
    });

    it('holds what is built and the documents, nothing of the repository', () => {
        const [{ files }] = JSON.parse(
            execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: repoRoot, encoding: 'utf8', stdio: 'pipe' })
        ) as [{ files: { path: string }[] }];
        const others = files.map(({ path }) => path).filter(path => !path.startsWith('dist/'));
        expect(others.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    });

    it('gives tests of both module systems a context', () => {
        const ask = `createTestContext({ answers: { roots: { roots: [] } } }).need('roots', listRoots()).then(answer => console.log(JSON.stringify(answer)));`;
        const folder = consumer({
            'ask.cjs': `const { createTestContext } = require('mcp-mrtr/testing'); const { listRoots } = require('mcp-mrtr'); ${ask}`,
            'ask.mjs': `import { createTestContext } from 'mcp-mrtr/testing'; import { listRoots } from 'mcp-mrtr'; ${ask}`
        });
        expect(['ask.cjs', 'ask.mjs'].map(file => node(folder, file))).toEqual(['{"roots":[]}\n', '{"roots":[]}\n']);
    });

    it('exports the codemod', () => {
        const folder = consumer({
            'names.mjs': `import { migrate, commit, check } from 'mcp-mrtr/codemod'; console.log(typeof migrate, typeof commit, typeof check);`
        });
        expect(node(folder, 'names.mjs')).toBe('function function function\n');
    });
});
