import type { OpenAsks } from './open-asks.js';
import type { Recording } from './recording.js';
import type { Timing } from './timing.js';

/** Quiet macrotasks in a row before a round is sent. One sample is not enough: a counter can touch zero in passing. */
const QUIET_TURNS = 2;

/** A sibling that never rests must not keep the client waiting for longer than this. */
const MAX_SETTLE_MS = 2000;

/**
 * Finds the moment when the handler waits for nothing but the client (DESIGN rule 2): an ask is open, no `once` runs,
 * and two macrotasks plus the settle window have passed without a new ask, `once` or claim. It never cuts a running
 * `once`.
 */
export class Quiescence {
    /** Settle window in milliseconds. */
    settleMs = 0;
    /** The frame outlives its rounds: at the bound a round is sent beside a `once`, which runs on. */
    rests = false;
    readonly #timing: Timing;
    readonly #claimMs: number;
    readonly #open: OpenAsks;
    readonly #recording: Recording;
    readonly #suspend: () => void;
    #running = 0;
    #moves = 0;
    #watching = false;
    #stopped = false;
    #closing = false;
    #wake: (() => void) | undefined;

    /**
     * @param claimMs how long an answer that arrived is waited for, in milliseconds.
     * @param suspend sends the round: nothing moves any more.
     */
    constructor(timing: Timing, claimMs: number, open: OpenAsks, recording: Recording, suspend: () => void) {
        this.#timing = timing;
        this.#claimMs = claimMs;
        this.#open = open;
        this.#recording = recording;
        this.#suspend = suspend;
    }

    /** The round only waits for a running `once`: what starts now belongs to the next attempt. */
    get closing(): boolean {
        return this.#closing;
    }

    /** Something happened: the quiet starts anew. */
    moved(): void {
        this.#moves++;
        this.#wake?.();
    }

    /** No round is sent while `work` runs. Starts it at once. */
    async during<T>(work: () => Promise<T>): Promise<T> {
        this.#running++;
        try {
            return await work();
        } finally {
            this.#running--;
            this.moved();
        }
    }

    /** An ask has been opened: watch for the moment to send it. */
    watch(): void {
        if (this.#watching || this.#stopped) return;
        this.#watching = true;
        void this.#run();
    }

    stop(): void {
        this.#stopped = true;
        this.#wake?.();
    }

    /** Sends no round any more, and resolves when the onces that run have ended. */
    async close(): Promise<void> {
        this.#closing = true;
        this.stop();
        while (this.#running > 0) await this.#nextMove();
    }

    async #run(): Promise<void> {
        try {
            const deadline = this.#timing.now() + MAX_SETTLE_MS;
            let claimUntil: number | undefined;
            while (this.#needed()) {
                if (this.#busy(deadline)) {
                    const left = deadline - this.#timing.now();
                    // Overlapping onces would put off the round for ever: let those that run end, and start no more.
                    if (left <= 0 && !this.rests) this.#closing = true;
                    await (left > 0 && this.rests ? this.#quiet(left) : this.#nextMove());
                    continue;
                }
                const moves = this.#moves;
                for (let turn = 0; turn < QUIET_TURNS; turn++) await this.#turn();
                if (!this.#needed() || this.#busy(deadline)) continue;
                if (this.#timing.now() < deadline) {
                    if (this.#moves !== moves) continue;
                    if (this.settleMs > 0 && !(await this.#quiet(this.settleMs))) continue;
                    if (this.#recording.unclaimedArrivals().length > 0) {
                        claimUntil ??= this.#timing.now() + this.#claimMs;
                        const left = claimUntil - this.#timing.now();
                        if (left > 0) {
                            await this.#quiet(left);
                            continue;
                        }
                    }
                }
                this.#suspend();
                return;
            }
        } finally {
            // In the same turn: the next ask begins a watch of its own.
            this.#watching = false;
        }
    }

    #needed(): boolean {
        return !this.#stopped && this.#open.size > 0;
    }

    #busy(deadline: number): boolean {
        const waits = this.#running > 0 && !(this.rests && this.#timing.now() >= deadline);
        return waits || this.#recording.queue.pending > 0;
    }

    #turn(): Promise<void> {
        return new Promise(resolve => this.#timing.turn(resolve));
    }

    #nextMove(): Promise<void> {
        return new Promise(resolve => (this.#wake = resolve));
    }

    /** Whether `ms` pass without a move. */
    #quiet(ms: number): Promise<boolean> {
        return new Promise(resolve => {
            const cancel = this.#timing.after(ms, () => resolve(true));
            this.#wake = () => {
                cancel();
                resolve(false);
            };
        });
    }
}
