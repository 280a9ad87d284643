import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Target } from './target.js';
import { UsageError } from './usageError.js';

const SHOWN = 5;

/**
 * Refuses to write into a git tree with uncommitted changes (untracked files count: git could not bring them back).
 * With a clean tree `git diff` shows exactly the migration and `git checkout .` undoes it.
 */
export function assertCleanGitTree({ cwd, paths }: Target): void {
    for (const root of gitRoots(cwd, paths)) {
        const dirty = uncommitted(root);
        if (dirty.length === 0) continue;
        const more = dirty.length > SHOWN ? [`  … and ${dirty.length - SHOWN} more`] : [];
        throw new UsageError(
            [
                `The git tree ${root} has uncommitted changes:`,
                ...dirty.slice(0, SHOWN).map(line => `  ${line}`),
                ...more,
                'Commit or stash them, so that the migration can be reviewed and undone by itself, or pass --allow-dirty.'
            ].join('\n')
        );
    }
}

/** A folder without git is not dirty. Paths may lead out of the working folder, into other trees. */
function gitRoots(cwd: string, paths: string[]): Set<string> {
    const roots = new Set<string>();
    for (const path of [cwd, ...paths.map(path => resolve(cwd, path))]) {
        let folder = statSync(path).isDirectory() ? path : dirname(path);
        while (!existsSync(join(folder, '.git')) && dirname(folder) !== folder) folder = dirname(folder);
        if (existsSync(join(folder, '.git'))) roots.add(folder);
    }
    return roots;
}

function uncommitted(root: string): string[] {
    try {
        const status = execFileSync('git', ['--no-optional-locks', '-C', root, 'status', '--porcelain'], {
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'pipe'],
            env: withoutHookVariables(process.env),
            maxBuffer: 64 * 1024 * 1024
        });
        return status.split('\n').filter(line => line !== '');
    } catch (error) {
        const reason = error instanceof Error ? error.message.trim() : String(error);
        throw new UsageError(
            `Could not ask git whether ${root} has uncommitted changes:\n${reason}\nPut that right, or pass --allow-dirty.`
        );
    }
}

/** Inside a git hook these name the repository of the hook, whatever `-C` says. */
const HOOK_VARIABLES = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX']);

function withoutHookVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return Object.fromEntries(Object.entries(env).filter(([name]) => !HOOK_VARIABLES.has(name)));
}
