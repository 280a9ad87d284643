import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Migrates a folder in a process of its own.
 * @returns `{ report, seconds, megabytes }` (wall clock of the migration, peak of resident memory), or `{ error }`
 */
export function measure(folder, { write, paths }) {
    return new Promise(settle => {
        const child = fork(fileURLToPath(new URL('migrateOne.mjs', import.meta.url)), [], {
            serialization: 'advanced',
            stdio: ['ignore', 'inherit', 'inherit', 'ipc']
        });
        child.once('message', settle);
        child.once('exit', code => settle({ error: `the migration ended with ${code}` }));
        child.send({ folder, write, paths });
    });
}
