import { accessSync, constants, lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { FileChange } from './commitChanges.js';
import { reasonOf } from './readSource.js';

/** Why a change must not be written now; undefined if nothing speaks against it. Reads as the end of "<path> …". */
export function problemWith(change: FileChange): string | undefined {
    try {
        return problemWithFolder(change) ?? problemWithFile(change);
    } catch (error) {
        return `cannot be looked at: ${reasonOf(error)}`;
    }
}

function problemWithFolder({ absolutePath, path }: FileChange): string | undefined {
    const folder = dirname(absolutePath);
    const tail = join(sep, path);
    // Compared below the working folder: that one itself may well be reached through a link (/tmp on macOS).
    const root = absolutePath.endsWith(tail) ? absolutePath.slice(0, -tail.length) || sep : folder;
    if (realpathSync(folder) !== join(realpathSync(root), relative(root, folder))) {
        return 'is reached through a symbolic link; migrate the folder that the link points to';
    }
    return isDenied(folder) ? 'is in a folder that is read-only' : undefined;
}

function problemWithFile({ absolutePath, before }: FileChange): string | undefined {
    const stats = lstatSync(absolutePath, { throwIfNoEntry: false });
    if (before === undefined) return stats ? 'exists already' : undefined;
    if (!stats) return 'is not there any more';
    if (stats.isSymbolicLink()) return 'is a symbolic link; migrate the file that it points to';
    if (isDenied(absolutePath) || isProtected(absolutePath, stats))
        return 'is read-only; make it writable and run again';
    if (!readFileSync(absolutePath).equals(Buffer.from(before))) return 'changed on disk since it was read; run again';
    return undefined;
}

function isDenied(path: string): boolean {
    try {
        accessSync(path, constants.W_OK);
        return false;
    } catch {
        return true;
    }
}

/**
 * A file without write bits in a folder that has them was made so on purpose, and that holds for root too, whom `access`
 * lets write anywhere. Where the whole tree has none (a copy of a read-only one), the bits say nothing about the file.
 */
function isProtected(path: string, { mode }: Stats): boolean {
    return (mode & WRITE_BITS) === 0 && (statSync(dirname(path)).mode & WRITE_BITS) !== 0;
}

const WRITE_BITS = 0o222;
