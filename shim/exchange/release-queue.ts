import type { Entry } from './journal.js';
import type { Timing } from './timing.js';

/**
 * Gives recorded outcomes back to the handler in the order in which it got them first, one per macrotask, so that
 * `Promise.race` and branches that run side by side take the same turns on every attempt (DESIGN rule 7).
 *
 * Outcomes that are not in the recorded order (answers that have just arrived, held ones) follow after it. An entry
 * that the handler does not reach must not block the others for ever: after `patienceMs` the ones before the first
 * that is wanted lose their place.
 */
export class ReleaseQueue {
    readonly #timing: Timing;
    readonly #patienceMs: number;
    readonly #order: Entry[];
    /** Made when needed, for a parked frame would keep an empty one. */
    #wanted: Map<Entry, () => void> | undefined;
    #scheduled = false;
    #cancelPatience: (() => void) | undefined;

    constructor(order: readonly Entry[], timing: Timing, patienceMs: number) {
        this.#order = [...order];
        this.#timing = timing;
        this.#patienceMs = patienceMs;
    }

    /** How many outcomes the handler waits for. */
    get pending(): number {
        return this.#wanted?.size ?? 0;
    }

    /** The handler wants this entry: `release` is called on its turn. */
    want(entry: Entry, release: () => void): void {
        (this.#wanted ??= new Map()).set(entry, release);
        this.#schedule();
    }

    /** The entry will never be released (its question changed): it must not hold up the ones behind it. */
    drop(entry: Entry): void {
        const place = this.#order.indexOf(entry);
        if (place >= 0) this.#order.splice(place, 1);
        if (this.pending > 0) this.#schedule();
    }

    /** Nothing is released any more: the attempt has ended. */
    stop(): void {
        this.#wanted = undefined;
        this.#patience(false);
    }

    #schedule(): void {
        if (this.#scheduled) return;
        this.#scheduled = true;
        this.#timing.turn(() => {
            this.#scheduled = false;
            this.#releaseNext();
        });
    }

    #releaseNext(): void {
        const head = this.#order[0];
        const [next] = head === undefined ? (this.#wanted?.keys() ?? []) : [head];
        const release = next && this.#wanted?.get(next);
        if (next === undefined || release === undefined) {
            this.#patience(this.pending > 0);
            return;
        }
        this.#patience(false);
        this.#wanted?.delete(next);
        if (this.pending === 0) this.#wanted = undefined;
        if (next === head) this.#order.shift();
        release();
        if (this.pending > 0) this.#schedule();
    }

    #patience(wait: boolean): void {
        if (!wait) {
            this.#cancelPatience?.();
            this.#cancelPatience = undefined;
            return;
        }
        this.#cancelPatience ??= this.#timing.after(this.#patienceMs, () => {
            this.#cancelPatience = undefined;
            while (this.#order[0] !== undefined && this.#wanted?.has(this.#order[0]) !== true) this.#order.shift();
            this.#schedule();
        });
    }
}
