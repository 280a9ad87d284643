import childProcess from 'node:child_process';
import { basename } from 'node:path';

import type { Watch } from '../watch.js';
import { instrument } from './wrap.js';

/** Child processes: what they do cannot be seen, so that they are started is the effect. */
export function instrumentProcesses(watch: Watch): void {
    for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync']) {
        instrument(childProcess, name, watch, ([command]) => ({
            kind: 'effect',
            api: `child_process.${name}`,
            target: commandName(command)
        }));
    }
}

/** Without its arguments, which may be secrets. */
function commandName(command: unknown): string | undefined {
    const [name] = typeof command === 'string' ? command.trim().split(/\s/) : [];
    return name && basename(name);
}
