import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './usageError.js';

/** What a command works on: existing paths, as they were given, and the folder they are relative to. */
export interface Target {
    cwd: string;
    paths: string[];
}

/** A mistyped path must not look like "nothing to do": every path is there, or nothing starts. */
export function resolveTarget(processCwd: string, cwdOption: string | undefined, paths: string[]): Target {
    const cwd = resolve(processCwd, cwdOption ?? '.');
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
        throw new UsageError(`--cwd ${cwdOption ?? cwd}: there is no such folder.`);
    }
    const missing = paths.filter(path => !existsSync(resolve(cwd, path)));
    if (missing.length > 0) {
        const names = missing.map(path => `  ${path}`).join('\n');
        throw new UsageError(`No such file or folder in ${cwd}:\n${names}`);
    }
    return { cwd, paths: paths.length > 0 ? paths : ['.'] };
}
