import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isGenerated } from './generated.js';
import { reasonOf } from './readSource.js';

export interface Walked {
    /** Absolute paths. */
    files: string[];
    /** Absolute path of each folder that could not be listed → why. */
    unreadable: Map<string, string>;
}

/** Every file below a folder but what `isGenerated` names. Symbolic links are not followed. */
export function walk(folder: string): Walked {
    const files: string[] = [];
    const unreadable = new Map<string, string>();
    const visit = (current: string): void => {
        const entries = listing(current);
        if (typeof entries === 'string') {
            unreadable.set(current, entries);
            return;
        }
        const besideManifest = current === folder || entries.some(({ name }) => name === 'package.json');
        for (const entry of entries) {
            const path = join(current, entry.name);
            if (entry.isFile()) files.push(path);
            else if (entry.isDirectory() && !isGenerated(entry.name, besideManifest)) visit(path);
        }
    };
    visit(folder);
    return { files, unreadable };
}

/** What is in a folder, or why that cannot be said. */
function listing(folder: string) {
    try {
        return readdirSync(folder, { withFileTypes: true });
    } catch (error) {
        return reasonOf(error);
    }
}
