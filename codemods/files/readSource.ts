import { readFileSync } from 'node:fs';

export type ReadSource = { text: string } | { problem: string };

/**
 * The text of a file with every byte accounted for: `Buffer.from(text)` is the file again, byte order mark included. A
 * file that is no UTF-8 would be damaged by decoding and encoding it, so it is a problem, as is one that cannot be read.
 */
export function readSource(absolutePath: string): ReadSource {
    let bytes: Buffer;
    try {
        bytes = readFileSync(absolutePath);
    } catch (error) {
        return { problem: `cannot be read: ${reasonOf(error)}` };
    }
    try {
        return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
    } catch {
        return { problem: 'is not UTF-8; convert it, or leave it out of the paths' };
    }
}

/** Without the path, which every message names already. */
export function reasonOf(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    return 'code' in error && typeof error.code === 'string'
        ? (SYSTEM_ERRORS[error.code] ?? error.code)
        : error.message;
}

const SYSTEM_ERRORS: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'operation not permitted',
    ENOENT: 'no such file or folder',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is no folder',
    ENOSPC: 'the disk is full',
    EROFS: 'the file system is read-only',
    ELOOP: 'its symbolic links go in circles'
};
