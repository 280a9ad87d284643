/**
 * Where the engine gets time from. Tests drive it by hand; nothing else in `shim/exchange` reads a clock or sets a
 * timer.
 */
export interface Timing {
    /** Milliseconds since the epoch. */
    now(): number;
    /** Calls `run` one macrotask later. */
    turn(run: () => void): void;
    /** Calls `run` after `ms` milliseconds; the returned function cancels. */
    after(ms: number, run: () => void): () => void;
    /** {@link after} for an end that nobody waits for: it does not keep the process alive. */
    expire(ms: number, run: () => void): () => void;
}

/** Timing of the machine: `setImmediate` turns, or zero timers on runtimes without it. */
export const systemTiming: Timing = {
    now: () => Date.now(),
    turn: typeof setImmediate === 'function' ? run => void setImmediate(run) : run => void setTimeout(run, 0),
    after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
    },
    expire(ms, run) {
        const timer: number | { unref(): void } = setTimeout(run, ms);
        // On runtimes without processes to keep alive a timer is a number.
        if (typeof timer === 'object') timer.unref();
        return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
    }
};
