import { systemTiming } from '../../../shim/exchange/timing.js';
import type { Timing } from '../../../shim/exchange/timing.js';

/** The time of the machine, but for what expires: that is done by {@link pass}, and the clock goes with it. */
export class DrivenTiming implements Timing {
    readonly #deadlines = new Set<{ readonly at: number; readonly run: () => void }>();
    #passed = 0;

    now(): number {
        return systemTiming.now() + this.#passed;
    }

    turn(run: () => void): void {
        systemTiming.turn(run);
    }

    after(ms: number, run: () => void): () => void {
        return systemTiming.after(ms, run);
    }

    expire(ms: number, run: () => void): () => void {
        const deadline = { at: this.now() + ms, run };
        this.#deadlines.add(deadline);
        return () => this.#deadlines.delete(deadline);
    }

    /** How many timers are set. */
    get pending(): number {
        return this.#deadlines.size;
    }

    /** Lets seconds pass, and what they bring come to its end. */
    async pass(seconds: number): Promise<void> {
        this.#passed += seconds * 1000;
        const due = [...this.#deadlines].filter(({ at }) => at <= this.now()).sort((a, b) => a.at - b.at);
        for (const deadline of due) {
            if (this.#deadlines.delete(deadline)) deadline.run();
        }
        await new Promise(resolve => setTimeout(resolve, 5));
    }
}
