import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Migrates or checks a folder in a process of its own.
 * @param {'migrate' | 'check'} command
 * @returns `{ report, seconds, megabytes }` (wall clock of the command, peak of resident memory), or `{ error }`
 */
export function measure(command, folder, { write = false, paths }) {
    return new Promise(settle => {
        const child = fork(fileURLToPath(new URL('runOne.mjs', import.meta.url)), [], {
            serialization: 'advanced',
            stdio: ['ignore', 'inherit', 'inherit', 'ipc']
        });
        child.once('message', settle);
        child.once('exit', code => settle({ error: `the ${command} ended with ${code}` }));
        child.send({ command, folder, write, paths });
    });
}
