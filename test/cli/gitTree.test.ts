import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { assertCleanGitTree } from '../../cli/gitTree.js';
import { UsageError } from '../../cli/usageError.js';
import { commitAll, temporaryProject } from '../temporaryProject.js';

afterEach(() => {
    vi.unstubAllEnvs();
});

describe('a git tree', () => {
    it('is no obstacle where there is none', () => {
        const folder = temporaryProject({ 'a.ts': '' });
        expect(() => assertCleanGitTree({ cwd: folder, paths: ['.'] })).not.toThrow();
    });

    it('passes when everything is committed', () => {
        const folder = temporaryProject({ 'src/a.ts': '' });
        commitAll(folder);
        expect(() => assertCleanGitTree({ cwd: join(folder, 'src'), paths: ['a.ts'] })).not.toThrow();
    });

    it('is refused for a change, a deletion or an untracked file anywhere in it', () => {
        const folder = temporaryProject({ 'src/a.ts': '', 'docs/b.md': '' });
        const target = { cwd: join(folder, 'src'), paths: ['.'] };
        commitAll(folder);
        writeFileSync(join(folder, 'docs/b.md'), 'changed');
        expect(() => assertCleanGitTree(target)).toThrow(/docs\/b\.md[^]*--allow-dirty/);
        commitAll(folder);
        rmSync(join(folder, 'docs/b.md'));
        expect(() => assertCleanGitTree(target)).toThrow(UsageError);
        commitAll(folder);
        writeFileSync(join(folder, 'new.ts'), '');
        expect(() => assertCleanGitTree(target)).toThrow(/new\.ts/);
    });

    it('names a few files, not all', () => {
        const folder = temporaryProject({});
        commitAll(folder);
        for (const name of 'abcdefgh') writeFileSync(join(folder, `${name}.ts`), '');
        expect(() => assertCleanGitTree({ cwd: folder, paths: ['.'] })).toThrow(/e\.ts\n {2}… and 3 more\n/);
    });

    it('is looked for where the paths are, too', () => {
        const here = temporaryProject({});
        const there = temporaryProject({ 'a.ts': '' });
        commitAll(there);
        writeFileSync(join(there, 'a.ts'), 'changed');
        expect(() => assertCleanGitTree({ cwd: here, paths: [join(there, 'a.ts')] })).toThrow(/a\.ts/);
    });

    it('is the one of the folder, not the one whose hook is running', () => {
        const folder = temporaryProject({});
        commitAll(folder);
        const other = temporaryProject({ 'b.ts': '' });
        commitAll(other);
        writeFileSync(join(other, 'b.ts'), 'changed');
        vi.stubEnv('GIT_DIR', join(other, '.git'));
        vi.stubEnv('GIT_WORK_TREE', other);
        expect(() => assertCleanGitTree({ cwd: folder, paths: ['.'] })).not.toThrow();
    });

    it('is refused when git cannot tell', () => {
        const folder = temporaryProject({ '.git/HEAD': 'nonsense' });
        expect(() => assertCleanGitTree({ cwd: folder, paths: ['.'] })).toThrow(/Could not ask git[^]*--allow-dirty/);
    });
});
