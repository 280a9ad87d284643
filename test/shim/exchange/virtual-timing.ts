import type { Timing } from '../../../shim/exchange/timing.js';

interface Event {
    readonly at: number;
    readonly order: number;
    readonly run: () => void;
}

/**
 * Time that passes only when nothing else is left to do: between two events all promise reactions run. Turns are
 * events of the present moment, in the order in which they were asked for.
 */
export class VirtualTiming implements Timing {
    #now = 0;
    #order = 0;
    readonly #events = new Set<Event>();

    now(): number {
        return this.#now;
    }

    turn(run: () => void): void {
        this.after(0, run);
    }

    after(ms: number, run: () => void): () => void {
        const event = { at: this.#now + ms, order: this.#order++, run };
        this.#events.add(event);
        return () => this.#events.delete(event);
    }

    expire(ms: number, run: () => void): () => void {
        return this.after(ms, run);
    }

    sleep(ms: number): Promise<void> {
        return new Promise(resolve => void this.after(ms, resolve));
    }

    /** Lets time pass until the promise has settled. */
    async until<T>(promise: Promise<T>): Promise<T> {
        const watched = { settled: false };
        const settle = (): void => {
            watched.settled = true;
        };
        promise.then(settle, settle);
        for (;;) {
            await new Promise(resolve => setImmediate(resolve));
            if (watched.settled) return promise;
            const [next] = [...this.#events].sort((a, b) => a.at - b.at || a.order - b.order);
            if (next === undefined) throw new Error('Nothing is left to happen, and the promise has not settled');
            this.#events.delete(next);
            this.#now = next.at;
            next.run();
        }
    }
}
