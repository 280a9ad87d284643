import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discover, NoSuchPackageError, NoSuchPathError, ofPackage } from '../../../codemods/files/discover.js';
import { temporaryFolder } from './temporaryFolder.js';

const paths = (cwd: string, ...targets: string[]) => discover({ cwd, paths: targets }).files.map(({ path }) => path);

function gitInit(folder: string): void {
    execFileSync('git', ['-C', folder, 'init', '--quiet']);
}

describe('source files of a folder without git', () => {
    it('are every TypeScript and JavaScript file but declarations, in order of their paths', () => {
        const cwd = temporaryFolder({
            'b.mts': '',
            'a.tsx': '',
            'src/z.cjs': '',
            'src/a.js': '',
            'src/c.cts': '',
            'd.jsx': '',
            'e.mjs': '',
            'f.ts': '',
            'types.d.ts': '',
            'more.d.mts': '',
            'readme.md': '',
            'data.json': '{}'
        });
        expect(paths(cwd)).toEqual(['a.tsx', 'b.mts', 'd.jsx', 'e.mjs', 'f.ts', 'src/a.js', 'src/c.cts', 'src/z.cjs']);
    });

    it('are not what tools put beside a package.json', () => {
        const cwd = temporaryFolder({
            'package.json': '{ "name": "root" }',
            'src/server.ts': '',
            'dist/server.js': '',
            'build/server.js': '',
            'coverage/lcov.js': '',
            'node_modules/x/index.js': '',
            '.next/page.js': '',
            'src/node_modules/y.js': '',
            'packages/a/package.json': '{ "name": "a" }',
            'packages/a/dist/a.js': '',
            'packages/a/a.ts': ''
        });
        expect(paths(cwd)).toEqual(['packages/a/a.ts', 'src/server.ts']);
    });

    it('are found below folders called dist and build that stand above the target', () => {
        const cwd = temporaryFolder({
            'dist/build/project/package.json': '{ "name": "p" }',
            'dist/build/project/src/server.ts': ''
        });
        expect(paths(join(cwd, 'dist/build/project'))).toEqual(['src/server.ts']);
    });

    it('are found in a source folder that happens to be called build', () => {
        const cwd = temporaryFolder({ 'package.json': '{ "name": "p" }', 'src/build/server.ts': '' });
        expect(paths(cwd)).toEqual(['src/build/server.ts']);
    });

    it('are found in a folder or file that was named, whatever it is called', () => {
        const cwd = temporaryFolder({
            'package.json': '{ "name": "p" }',
            'dist/server.js': '',
            'node_modules/x/index.js': '',
            'src/a.ts': ''
        });
        expect(paths(cwd, 'dist')).toEqual(['dist/server.js']);
        expect(paths(cwd, 'node_modules/x/index.js', 'src')).toEqual(['node_modules/x/index.js', 'src/a.ts']);
    });

    it('are each named once, however often they were asked for', () => {
        const cwd = temporaryFolder({ 'src/a.ts': '' });
        expect(paths(cwd, '.', 'src', 'src/a.ts', join(cwd, 'src'))).toEqual(['src/a.ts']);
    });

    it('are not looked for behind symbolic links', () => {
        const outside = temporaryFolder({ 'secret.ts': '' });
        const cwd = temporaryFolder({ 'a.ts': '' });
        symlinkSync(outside, join(cwd, 'link'));
        symlinkSync(join(outside, 'secret.ts'), join(cwd, 'secret.ts'));
        symlinkSync(cwd, join(cwd, 'circle'));
        expect(paths(cwd)).toEqual(['a.ts']);
    });
});

describe('source files of a git repository', () => {
    it('are the tracked and untracked ones that git does not ignore', () => {
        const cwd = temporaryFolder({
            '.gitignore': 'generated/\n*.gen.ts\n',
            'a.ts': '',
            'b.gen.ts': '',
            'generated/c.ts': '',
            'src/d.ts': ''
        });
        gitInit(cwd);
        execFileSync('git', ['-C', cwd, 'add', 'a.ts']);
        expect(paths(cwd)).toEqual(['a.ts', 'src/d.ts']);
    });

    it('are not the tracked ones that were deleted, nor committed build output', () => {
        const cwd = temporaryFolder({
            'package.json': '{ "name": "p" }',
            'a.ts': '',
            'gone.ts': '',
            'dist/a.js': '',
            'node_modules/x.js': ''
        });
        gitInit(cwd);
        execFileSync('git', ['-C', cwd, 'add', '--all']);
        rmSync(join(cwd, 'gone.ts'));
        expect(paths(cwd)).toEqual(['a.ts']);
    });

    it('are found in an ignored folder that was named', () => {
        const cwd = temporaryFolder({ '.gitignore': 'dist/\n', 'dist/a.js': '', 'dist/sub/b.js': '', 'c.ts': '' });
        gitInit(cwd);
        expect(paths(cwd, 'dist')).toEqual(['dist/a.js', 'dist/sub/b.js']);
    });

    it('have names with spaces, quotes and umlauts', () => {
        const cwd = temporaryFolder({ 'my tools/größe "x".ts': '' });
        gitInit(cwd);
        expect(paths(cwd)).toEqual(['my tools/größe "x".ts']);
    });
});

describe('a path that is not there', () => {
    it('is an error that names it as it was given', () => {
        const cwd = temporaryFolder({ 'a.ts': '' });
        expect(() => paths(cwd, 'a.ts', 'scr/server.ts')).toThrow(NoSuchPathError);
        expect(() => paths(cwd, 'scr/server.ts')).toThrow('scr/server.ts: no such file or folder. Give a file');
    });
});

describe('what a file belongs to', () => {
    it('is the nearest package.json that names or declares something, and the nearest tsconfig.json', () => {
        const cwd = temporaryFolder({
            'package.json': '{ "name": "root", "workspaces": ["packages/*"] }',
            'tsconfig.json': '{}',
            'packages/a/package.json': '{ "name": "@x/a", "dependencies": {} }',
            'packages/a/tsconfig.json': '{}',
            'packages/a/src/package.json': '{ "type": "module" }',
            'packages/a/src/a.ts': '',
            'scripts/b.mjs': ''
        });
        const { files, manifests, packages } = discover({ cwd });
        const owners = Object.fromEntries(files.map(({ path, manifest, tsconfig }) => [path, { manifest, tsconfig }]));
        expect(owners).toEqual({
            'packages/a/src/a.ts': {
                manifest: join(cwd, 'packages/a/package.json'),
                tsconfig: join(cwd, 'packages/a/tsconfig.json')
            },
            'scripts/b.mjs': { manifest: join(cwd, 'package.json'), tsconfig: join(cwd, 'tsconfig.json') }
        });
        expect(manifests).toEqual([join(cwd, 'package.json'), join(cwd, 'packages/a/package.json')]);
        expect([...packages]).toEqual([
            ['root', cwd],
            ['@x/a', join(cwd, 'packages/a')]
        ]);
    });

    it('is not looked for outside of the repository', () => {
        const outer = temporaryFolder({ 'package.json': '{ "name": "outer" }', 'tsconfig.json': '{}' });
        mkdirSync(join(outer, 'repo'));
        writeFileSync(join(outer, 'repo/a.ts'), '');
        gitInit(join(outer, 'repo'));
        const [file] = discover({ cwd: join(outer, 'repo') }).files;
        expect(file).toEqual({ path: 'a.ts', absolutePath: join(outer, 'repo/a.ts') });
    });

    it('may have a package.json that is no JSON, which then owns nothing', () => {
        const cwd = temporaryFolder({ 'package.json': '{ "name": ', 'a.ts': '' });
        gitInit(cwd);
        expect(discover({ cwd }).manifests).toEqual([]);
    });
});

describe('one package of a workspace', () => {
    it('is found by its name', () => {
        const cwd = temporaryFolder();
        for (const [folder, name] of [
            ['.', 'all'],
            ['a', '@all/a'],
            ['b', '@all/b']
        ] as const) {
            mkdirSync(join(cwd, folder, 'src'), { recursive: true });
            writeFileSync(join(cwd, folder, 'package.json'), JSON.stringify({ name }));
            writeFileSync(join(cwd, folder, 'src/server.ts'), '');
        }
        const found = discover({ cwd });
        expect(ofPackage(found, '@all/a').files.map(({ path }) => path)).toEqual(['a/src/server.ts']);
        expect(() => ofPackage(found, 'a')).toThrow(NoSuchPackageError);
        expect(() => ofPackage(found, 'a')).toThrow('No package is called a: there are @all/a, @all/b, all.');
    });
});
