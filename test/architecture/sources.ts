import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../repo.js';

/** Source text by path relative to the repository, POSIX. */
export type Sources = ReadonlyMap<string, string>;

/** Every TypeScript file of the given top-level folders, as it is on disk. */
export function readSources(folders: string[]): Sources {
    const sources = new Map<string, string>();
    for (const folder of folders) {
        for (const entry of readdirSync(join(repoRoot, folder), { recursive: true, withFileTypes: true })) {
            if (!entry.isFile() || !/\.[cm]?ts$/.test(entry.name)) continue;
            const absolute = join(entry.parentPath, entry.name);
            const path = absolute.slice(repoRoot.length + 1).replaceAll('\\', '/');
            sources.set(path, readFileSync(absolute, 'utf8'));
        }
    }
    return sources;
}
