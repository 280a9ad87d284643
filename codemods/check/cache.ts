import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A result, with all that it was made of. */
interface Entry<Result> {
    /** Digest of the texts that were checked, of the options, and of this package. */
    key: string;
    /** Files that were read besides, for types: path, size and time. */
    read: Stamp[];
    result: Result;
}

type Stamp = [path: string, size: number, modified: number];

/**
 * Results by content: what was checked before is not checked again, wherever the files lie in time. One file per project,
 * which the next run replaces. A cache that cannot be read or written is none; it never is an error.
 */
export class ResultCache<Result> {
    private readonly path: string;

    /** @param project what the entry is for: the folder, and the paths in it. */
    constructor(
        folder: string,
        project: readonly string[],
        private readonly key: string
    ) {
        this.path = join(folder, `check-${digest(project)}.json`);
    }

    read(): Result | undefined {
        try {
            const entry = JSON.parse(readFileSync(this.path, 'utf8')) as Entry<Result>;
            return entry.key === this.key && entry.read.every(isAsItWas) ? entry.result : undefined;
        } catch {
            return undefined;
        }
    }

    write(result: Result, read: readonly string[]): void {
        const entry: Entry<Result> = { key: this.key, read: read.map(stampOf), result };
        try {
            mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
            const temporary = `${this.path}.${process.pid}`;
            writeFileSync(temporary, JSON.stringify(entry), { mode: 0o600 });
            renameSync(temporary, this.path);
        } catch {
            // The next run does the work again.
        }
    }
}

export const digest = (parts: Iterable<string>): string => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(`${part.length}:`).update(part);
    return hash.digest('hex');
};

function stampOf(path: string): Stamp {
    const found = statSync(path, { throwIfNoEntry: false });
    return [path, found?.size ?? -1, found?.mtimeMs ?? 0];
}

function isAsItWas([path, size, modified]: Stamp): boolean {
    const [, sizeNow, modifiedNow] = stampOf(path);
    return size === sizeNow && modified === modifiedNow;
}

let own: string | undefined;

/** Digest of this package's own files, so that another release, or another working copy, finds by itself. */
export function ownStamp(): string {
    own ??= digest(stampsBelow(dirname(dirname(fileURLToPath(import.meta.url)))));
    return own;
}

function stampsBelow(folder: string): string[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => stampOf(join(entry.parentPath, entry.name)).join(' '))
        .sort();
}
