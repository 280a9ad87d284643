import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server that has been told to stop and is still there after this long is killed, in milliseconds. */
const STOP_MS = 2000;

/**
 * Starts a TypeScript server that prints its URL as its first line on stdout.
 *
 * @param signal ends it, whatever it does.
 * @throws Error if it ends before that line.
 */
export async function startServer(entry, { cwd, signal }) {
    const child = spawn(process.execPath, ['--import', 'tsx', entry], {
        cwd,
        signal,
        // A pipe to its stdin: when this process dies in whatever way, the server reads the end of it.
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, TSX_DISABLE_CACHE: '1' }
    });
    const exited = once(child, 'exit');
    exited.catch(() => undefined); // an abort, which whoever waits next is told
    const url = await Promise.race([
        once(createInterface(child.stdout), 'line').then(([line]) => line),
        exited.then(([code]) => {
            throw new Error(`${entry} ended with exit code ${code} before it printed its URL`);
        })
    ]);
    return { url, pid: child.pid, stop: () => stop(child, exited) };
}

async function stop(child, exited) {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited.catch(() => undefined);
    clearTimeout(timer);
}
