import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isGenerated } from './generated.js';
import type { Walked } from './walk.js';

/**
 * Files below a folder that git tracks or would track; undefined where there is no git or no repository,
 * and for a folder that git ignores itself: whoever names it means what is in it.
 */
export function gitFiles(folder: string): Walked | undefined {
    if (git(folder, ['check-ignore', '--quiet', '.']) !== undefined) return undefined;
    const listed = git(folder, ['ls-files', '--cached', '--others', '--exclude-standard', '-z']);
    if (listed === undefined) return undefined;
    const isPackage = remember((parent: string) => parent === '' || existsSync(join(folder, parent, 'package.json')));
    const files = [...new Set(listed.stdout.split('\0'))]
        .filter(path => path !== '' && !inGenerated(path, isPackage))
        .map(path => join(folder, path))
        .filter(isPlainFile);
    return { files, unreadable: unreadableIn(folder, listed.stderr) };
}

/** Git says so on stderr, with paths from the top of the repository, and goes on. */
function unreadableIn(folder: string, stderr: string): Map<string, string> {
    const said = [...stderr.matchAll(/^warning: could not open directory '(.+?)\/?': (.+)$/gm)];
    if (said.length === 0) return new Map();
    const top = git(folder, ['rev-parse', '--show-toplevel'])?.stdout.trim() ?? folder;
    return new Map(said.map(([, path = '', why = '']) => [join(top, path), why.toLowerCase()]));
}

function inGenerated(path: string, isPackage: (folder: string) => boolean): boolean {
    const folders = path.split('/').slice(0, -1);
    return folders.some((name, depth) => isGenerated(name, isPackage(folders.slice(0, depth).join('/'))));
}

/** Git lists deleted files, symbolic links and submodules too. */
function isPlainFile(path: string): boolean {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Undefined if git said no, or is not there. */
function git(folder: string, args: string[]): { stdout: string; stderr: string } | undefined {
    const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...args], {
        encoding: 'utf8',
        env: environment(),
        maxBuffer: 256 * 1024 * 1024
    });
    return status === 0 ? { stdout, stderr } : undefined;
}

/** Inside a git hook these name the repository of the hook, whatever `-C` says. */
const HOOK_VARIABLES = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX']);

/** In English, since what it says is read. */
function environment(): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(([name]) => !HOOK_VARIABLES.has(name));
    return { ...Object.fromEntries(own), LC_ALL: 'C' };
}

function remember<Value>(compute: (key: string) => Value): (key: string) => Value {
    const known = new Map<string, Value>();
    return key => {
        const value = known.get(key) ?? compute(key);
        known.set(key, value);
        return value;
    };
}
