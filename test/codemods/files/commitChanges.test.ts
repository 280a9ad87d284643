import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commitChanges, type FileChange } from '../../../codemods/files/commitChanges.js';
import { temporaryFolder } from './temporaryFolder.js';

function change(cwd: string, path: string, before: string | undefined, after: string, group = 'g'): FileChange {
    return { path, absolutePath: join(cwd, path), before, after, group };
}

const read = (cwd: string, path: string) => readFileSync(join(cwd, path), 'utf8');

describe('a change', () => {
    it('is written whole, keeps the mode and leaves nothing beside it', () => {
        const cwd = temporaryFolder({ 'bin.js': 'old\r\n' });
        chmodSync(join(cwd, 'bin.js'), 0o755);
        expect(
            commitChanges([change(cwd, 'bin.js', 'old\r\n', '\uFEFFnew\r\n'), change(cwd, 'mrtr.ts', undefined, 'x')])
        ).toEqual({
            written: ['bin.js', 'mrtr.ts'],
            refused: []
        });
        expect(read(cwd, 'bin.js')).toBe('\uFEFFnew\r\n');
        expect(read(cwd, 'mrtr.ts')).toBe('x');
        expect(statSync(join(cwd, 'bin.js')).mode & 0o777).toBe(0o755);
        expect(readdirSync(cwd).sort()).toEqual(['bin.js', 'mrtr.ts']);
    });
});

// As root: `access` says yes to everything, so only the bits are left to tell the two apart.
it.runIf(process.getuid?.() === 0)('a file in a tree without any write bits is not protected by its own', () => {
    const cwd = temporaryFolder({ 'a.ts': 'a' });
    chmodSync(join(cwd, 'a.ts'), 0o444);
    chmodSync(cwd, 0o555);
    expect(commitChanges([change(cwd, 'a.ts', 'a', 'A')])).toEqual({ written: ['a.ts'], refused: [] });
});

describe('a group with a file that must not be written', () => {
    function refusedWith(prepare: (cwd: string) => void, culprit: (cwd: string) => FileChange) {
        const cwd = temporaryFolder({ 'a.ts': 'a', 'b.ts': 'b', 'other.ts': 'o' });
        prepare(cwd);
        const result = commitChanges([
            change(cwd, 'a.ts', 'a', 'A'),
            culprit(cwd),
            change(cwd, 'other.ts', 'o', 'O', 'another group')
        ]);
        expect(read(cwd, 'a.ts')).toBe('a');
        expect(read(cwd, 'other.ts')).toBe('O');
        expect(result.written).toEqual(['other.ts']);
        expect(result.refused).toHaveLength(2);
        expect(readdirSync(cwd).filter(name => name.includes('mcp-mrtr'))).toEqual([]);
        return Object.fromEntries(result.refused.map(({ path, reason }) => [path, reason]));
    }

    it('is refused as a whole, and each file says why', () => {
        const refused = refusedWith(
            cwd => chmodSync(join(cwd, 'b.ts'), 0o444),
            cwd => change(cwd, 'b.ts', 'b', 'B')
        );
        expect(refused['b.ts']).toBe('is read-only; make it writable and run again');
        expect(refused['a.ts']).toBe('not written, because b.ts is read-only; make it writable and run again');
    });

    it('is refused when the file changed since it was read', () => {
        const refused = refusedWith(
            cwd => writeFileSync(join(cwd, 'b.ts'), 'edited'),
            cwd => change(cwd, 'b.ts', 'b', 'B')
        );
        expect(refused['b.ts']).toContain('changed on disk since it was read');
    });

    it('is refused when a new file exists by now, or an old one does not', () => {
        const exists = refusedWith(
            () => undefined,
            cwd => change(cwd, 'b.ts', undefined, 'B')
        );
        expect(exists['b.ts']).toBe('exists already');
        const gone = refusedWith(
            () => undefined,
            cwd => change(cwd, 'c.ts', 'c', 'C')
        );
        expect(gone['c.ts']).toBe('is not there any more');
    });

    it('is refused when its folder is missing', () => {
        const refused = refusedWith(
            () => undefined,
            cwd => change(cwd, 'nowhere/c.ts', undefined, 'C')
        );
        expect(refused['nowhere/c.ts']).toContain('no such file or folder');
    });

    // Root may write everywhere, and is not asked whether it should.
    it.skipIf(process.getuid?.() === 0)('is refused when its folder is read-only', () => {
        const refused = refusedWith(
            cwd => {
                mkdirSync(join(cwd, 'locked'));
                writeFileSync(join(cwd, 'locked/c.ts'), 'c');
                chmodSync(join(cwd, 'locked'), 0o555);
                onTestFinished(() => chmodSync(join(cwd, 'locked'), 0o755));
            },
            cwd => change(cwd, 'locked/c.ts', 'c', 'C')
        );
        expect(refused['locked/c.ts']).toBe('is in a folder that is read-only');
    });

    it('is refused when the way to the file leads over a symbolic link', () => {
        const outside = temporaryFolder({ 'c.ts': 'c' });
        const linkedFile = refusedWith(
            cwd => symlinkSync(join(outside, 'c.ts'), join(cwd, 'c.ts')),
            cwd => change(cwd, 'c.ts', 'c', 'C')
        );
        expect(linkedFile['c.ts']).toContain('is a symbolic link');
        const linkedFolder = refusedWith(
            cwd => symlinkSync(outside, join(cwd, 'sub')),
            cwd => change(cwd, 'sub/c.ts', 'c', 'C')
        );
        expect(linkedFolder['sub/c.ts']).toContain('reached through a symbolic link');
        expect(read(outside, 'c.ts')).toBe('c');
    });
});

describe('a run that is killed', () => {
    // Large, so that the kill arrives while the kernel is still writing the file whose beginning was seen.
    const SIZE = 12_000_000;
    const NAMES = ['f0.ts', 'f1.ts', 'f2.ts', 'f3.ts'];
    const OLD = 'o'.repeat(SIZE);

    /** Runs a commit of all files, kills it at the first event in the folder that `when` takes, and reads what is left. */
    async function killed(when: (name: string) => boolean) {
        const cwd = temporaryFolder(Object.fromEntries(NAMES.map(name => [name, OLD])));
        const watcher = watch(cwd);
        const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'writeMany.ts'), cwd], {
            stdio: ['ignore', 'ignore', 'inherit']
        });
        watcher.on('change', (_event, name) => {
            if (when(String(name))) child.kill('SIGKILL');
        });
        const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
        watcher.close();
        expect(signal).toBe('SIGKILL');
        const texts = NAMES.map(name => read(cwd, name));
        expect(texts.filter(text => text !== OLD && text !== 'n'.repeat(SIZE))).toEqual([]);
        return { fresh: texts.filter(text => text !== OLD).length, names: readdirSync(cwd) };
    }

    it('while it writes the first file leaves every file as it was', async () => {
        const { fresh, names } = await killed(() => true);
        expect(fresh).toBe(0);
        // It was in the middle: the unfinished text lies beside the file.
        expect(names).toHaveLength(NAMES.length + 1);
    });

    it('after it replaced the first file leaves new files and old files', async () => {
        const { fresh } = await killed(name => name === 'f0.ts');
        expect(fresh).toBeGreaterThan(0);
        expect(fresh).toBeLessThan(NAMES.length);
    });
});
