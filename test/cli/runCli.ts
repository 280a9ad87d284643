import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { main } from '../../cli/main.js';
import type { Codemod } from '../../cli/session.js';
import { repoRoot } from '../repo.js';
import { cannedCodemods } from './cannedCodemods.js';

export interface Ended {
    code: number | null;
    stdout: string;
    stderr: string;
}

/** Runs the command line from its sources, as a process of its own. A migration of a small project takes some seconds. */
export function runCli(args: string[], cwd: string): Ended {
    const words = ['--import', import.meta.resolve('tsx'), join(repoRoot, 'cli/index.ts'), ...args];
    const ended = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
    if (ended.error) throw ended.error;
    return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

/** Runs the command line in this process over a codemod that returns what the test says. */
export async function runCanned(
    canned: keyof typeof cannedCodemods,
    args: string[],
    cwd: string,
    terminal: { isTTY: boolean; env: NodeJS.ProcessEnv } = { isTTY: false, env: {} }
): Promise<Ended> {
    const codemod: Codemod = cannedCodemods[canned];
    const printed = { stdout: '', stderr: '' };
    const stream = (name: keyof typeof printed) => ({
        write: (text: string) => (printed[name] += text),
        isTTY: terminal.isTTY
    });
    const code = await main(args, {
        stdout: stream('stdout'),
        stderr: stream('stderr'),
        env: terminal.env,
        cwd,
        loadCodemod: () => Promise.resolve(codemod)
    });
    return { code, ...printed };
}
