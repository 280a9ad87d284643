import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['cli', 'codemods', 'shim'];

/** Whether dist/ is there and no source is newer: the demo shows the code as it is. */
export function isBuilt(repository) {
    const built = statSync(join(repository, 'dist/cli/index.js'), { throwIfNoEntry: false });
    return built !== undefined && SOURCES.every(folder => newest(join(repository, folder)) <= built.mtimeMs);
}

function newest(folder) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
    return Math.max(...files.map(entry => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}
