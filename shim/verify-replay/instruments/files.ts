import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { Sighting, Watch } from '../watch.js';
import { instrument, instrumentClass } from './wrap.js';
import type { Describe } from './wrap.js';

const EFFECTS = [
    ...[
        'appendFile',
        'chmod',
        'chown',
        'copyFile',
        'cp',
        'fchmod',
        'fchown',
        'ftruncate',
        'futimes',
        'lchmod',
        'lchown'
    ],
    ...['link', 'lutimes', 'mkdir', 'mkdtemp', 'rename', 'rm', 'rmdir', 'symlink', 'truncate', 'unlink', 'utimes'],
    ...['write', 'writeFile', 'writev']
];
const READS = [
    ...['access', 'exists', 'fstat', 'glob', 'lstat', 'opendir', 'read', 'readFile', 'readdir', 'readlink', 'readv'],
    ...['realpath', 'stat', 'statfs']
];
const HANDLE_EFFECTS = [
    'appendFile',
    'chmod',
    'chown',
    'createWriteStream',
    'truncate',
    'utimes',
    'write',
    'writeFile',
    'writev'
];
const HANDLE_READS = ['createReadStream', 'read', 'readFile', 'readLines', 'readableWebStream', 'readv', 'stat'];

const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = fs.constants;

/** `node:fs` in all of its three forms, and handles of open files. What goes to stdout and stderr is no effect. */
export async function instrumentFiles(watch: Watch): Promise<void> {
    for (const [kind, names] of [
        ['effect', EFFECTS],
        ['read', READS]
    ] as const) {
        for (const name of names) {
            const describe =
                (api: string): Describe =>
                ([path]) =>
                    isStandardStream(path) ? undefined : { kind, api, target: targetOf(path) };
            instrument(fs, name, watch, describe(`fs.${name}`));
            instrument(fs, `${name}Sync`, watch, describe(`fs.${name}Sync`));
            instrument(fs.promises, name, watch, describe(`fs.promises.${name}`));
        }
    }
    for (const [kind, name] of [
        ['effect', 'WriteStream'],
        ['read', 'ReadStream']
    ] as const) {
        const describe =
            (api: string) =>
            ([path]: readonly unknown[]): Sighting => ({ kind, api: `fs.${api}`, target: targetOf(path) });
        instrument(fs, `create${name}`, watch, describe(`create${name}`));
        instrumentClass(fs, name, watch, describe(name));
        instrumentClass(fs, `File${name}`, watch, describe(`File${name}`));
    }
    instrument(fs, 'open', watch, describeOpen('fs.open'));
    instrument(fs, 'openSync', watch, describeOpen('fs.openSync'));
    instrument(fs.promises, 'open', watch, describeOpen('fs.promises.open'));
    await instrumentFileHandles(watch);
}

/** Their class is not exported: one of them leads to it. */
async function instrumentFileHandles(watch: Watch): Promise<void> {
    const handle = await open(fileURLToPath(import.meta.url));
    const prototype = Object.getPrototypeOf(handle) as object;
    await handle.close();
    for (const [kind, names] of [
        ['effect', HANDLE_EFFECTS],
        ['read', HANDLE_READS]
    ] as const) {
        for (const name of names) instrument(prototype, name, watch, () => ({ kind, api: `FileHandle.${name}` }));
    }
}

function describeOpen(api: string): Describe {
    return ([path, flags]) => ({ kind: opensForWriting(flags) ? 'effect' : 'read', api, target: targetOf(path) });
}

function opensForWriting(flags: unknown): boolean {
    if (typeof flags === 'string') return /[wa+]/.test(flags);
    return typeof flags === 'number' && (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)) !== 0;
}

function isStandardStream(path: unknown): boolean {
    return path === 1 || path === 2;
}

function targetOf(path: unknown): string | undefined {
    if (typeof path === 'string') return path;
    if (path instanceof URL) return path.protocol === 'file:' ? fileURLToPath(path) : path.href;
    if (Buffer.isBuffer(path)) return path.toString();
    return typeof path === 'number' ? `file descriptor ${path}` : undefined;
}
