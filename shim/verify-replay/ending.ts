/** As servers are ended by their clients and by people. `SIGKILL` leaves no time. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `end` when the process ends, whichever way, and changes nothing of that: a signal that nobody else handles ends
 * it as it would have.
 */
export function beforeEnd(end: () => void): void {
    process.once('exit', end);
    for (const signal of SIGNALS) {
        const last = (): void => {
            // Someone else decides what it means, and whether the process goes on.
            if (process.listenerCount(signal) > 1) return;
            end();
            process.removeListener(signal, last);
            process.kill(process.pid, signal);
        };
        process.on(signal, last);
    }
}
