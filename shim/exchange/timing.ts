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
}

/** Timing of the machine: `setImmediate` turns, or zero timers on runtimes without it. */
export const systemTiming: Timing = {
    now: () => Date.now(),
    turn: typeof setImmediate === 'function' ? run => void setImmediate(run) : run => void setTimeout(run, 0),
    after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
    }
};
