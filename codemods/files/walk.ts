import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { isGenerated } from './generated.js';

/** Every file below a folder (absolute paths) but what `isGenerated` names. Symbolic links are not followed. */
export function walk(folder: string): string[] {
    const found: string[] = [];
    const visit = (current: string): void => {
        const entries = entriesOf(current);
        const besideManifest = current === folder || entries.some(({ name }) => name === 'package.json');
        for (const entry of entries) {
            const path = join(current, entry.name);
            if (entry.isFile()) found.push(path);
            else if (entry.isDirectory() && !isGenerated(entry.name, besideManifest)) visit(path);
        }
    };
    visit(folder);
    return found;
}

/** A folder that may not be listed has nothing for us; the files beside it do. */
function entriesOf(folder: string): Dirent[] {
    try {
        return readdirSync(folder, { withFileTypes: true });
    } catch {
        return [];
    }
}
