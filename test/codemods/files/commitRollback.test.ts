import type * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { commitChanges } from '../../../codemods/files/commitChanges.js';
import { temporaryFolder } from './temporaryFolder.js';

// A disk that fails between two renames of a group; nothing else is replaced.
const failing = vi.hoisted(() => ({ target: '' }));
vi.mock('node:fs', async importOriginal => {
    const real = await importOriginal<typeof fs>();
    return {
        ...real,
        renameSync: (from: string, to: string) => {
            if (to === failing.target) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
            real.renameSync(from, to);
        }
    };
});
const { readdirSync, readFileSync } = await import('node:fs');

it('files of a group that were replaced get their old text back when a later one fails', () => {
    const cwd = temporaryFolder({ 'a.ts': 'a', 'z.ts': 'z' });
    failing.target = join(cwd, 'z.ts');
    const result = commitChanges(
        [
            { path: 'a.ts', before: 'a', after: 'A' },
            { path: 'new.ts', before: undefined, after: 'N' },
            { path: 'z.ts', before: 'z', after: 'Z' }
        ].map(change => ({ ...change, absolutePath: join(cwd, change.path), group: 'g' }))
    );
    const held = 'not written, because z.ts could not be written: the disk is full';
    expect(result).toEqual({
        written: [],
        refused: [
            { path: 'a.ts', reason: held },
            { path: 'new.ts', reason: held },
            { path: 'z.ts', reason: 'could not be written: the disk is full' }
        ]
    });
    expect(readdirSync(cwd).sort()).toEqual(['a.ts', 'z.ts']);
    expect(readFileSync(join(cwd, 'a.ts'), 'utf8')).toBe('a');
    expect(readFileSync(join(cwd, 'z.ts'), 'utf8')).toBe('z');
});
