import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repoRoot } from '../repo.js';

export interface Ended {
    code: number | null;
    stdout: string;
    stderr: string;
}

/** Runs the command line from its sources, as a process of its own. */
export function runCli(args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Ended {
    return runEntry('cli/index.ts', args, cwd, env);
}

/** Runs the real command line over a codemod that returns what the test says (see `entries/canned.ts`). */
export function runCanned(canned: string, args: string[], cwd: string): Ended {
    return runEntry('test/cli/entries/canned.ts', args, cwd, { CANNED: canned });
}

function runEntry(entry: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Ended {
    const words = ['--import', import.meta.resolve('tsx'), join(repoRoot, entry), ...args];
    const ended = spawnSync(process.execPath, words, { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
    if (ended.error) throw ended.error;
    return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}
