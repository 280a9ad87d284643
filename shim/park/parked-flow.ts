import type { Timing } from '../exchange/timing.js';
import type { Frame } from './frame.js';

/** What a round was answered with, for the requests that bring the same answers. */
interface RoundAnswer {
    readonly answersDigest: string;
    readonly answer: Promise<unknown>;
}

/** A call in the table: its frame, the round that it waits for or runs, and the results of the rounds before. */
export class ParkedFlow {
    readonly id: string;
    readonly principal: string | null;
    readonly #timing: Timing;
    #frame: Frame | undefined;
    #round = 0;
    #running: RoundAnswer | undefined;
    /** By round; also of the one that runs. */
    #answers: Map<number, RoundAnswer> | undefined;
    #expiresAt = 0;
    #expire: (() => void) | undefined;
    #cancelDeadline: (() => void) | undefined;

    constructor(id: string, principal: string | null, frame: Frame, timing: Timing) {
        this.id = id;
        this.principal = principal;
        this.#frame = frame;
        this.#timing = timing;
    }

    /** Absent when the flow is over. */
    get frame(): Frame | undefined {
        return this.#frame;
    }

    /** Whether it waits for a request. */
    get resting(): boolean {
        return this.#frame !== undefined && this.#running === undefined;
    }

    waitsFor(round: number): boolean {
        return this.resting && this.#round === round;
    }

    /** The frame waits for the answers to `round`, and `expire` is called if they do not come in time. */
    rest(round: number, ttlMs: number, expire: () => void): void {
        this.#round = round;
        this.#running = undefined;
        this.#expiresAt = this.#timing.now() + ttlMs;
        this.#expire = expire;
        this.#watchDeadline();
    }

    /** The answer to a request that repeats another one, if that one runs or has ended lately. */
    duplicate(round: number, answersDigest: string, signal: AbortSignal): Promise<unknown> | undefined {
        const first = this.#answers?.get(round);
        if (first?.answersDigest !== answersDigest) return undefined;
        if (first === this.#running) this.#frame?.watch(signal);
        return first.answer;
    }

    /** Runs the present round, and keeps its answer for `keepMs`. */
    run(answersDigest: string, keepMs: number, run: () => Promise<unknown>): Promise<unknown> {
        this.#cancelDeadline?.();
        const round = this.#round;
        const running: RoundAnswer = { answersDigest, answer: run() };
        this.#running = running;
        this.#answers ??= new Map();
        this.#answers.set(round, running);
        const after = (): void => {
            if (this.#running === running && this.#frame?.attempt.ended === false) {
                // The request did not come as far as the frame: its state is not used.
                this.#running = undefined;
                this.#answers?.delete(round);
                this.#watchDeadline();
            } else {
                this.#timing.expire(keepMs, () => this.#answers?.delete(round));
            }
        };
        running.answer.then(after, after);
        return running.answer;
    }

    /** Keeps no answer any more. */
    forget(): void {
        this.#answers = undefined;
    }

    /** Lets go of the frame. */
    finish(): void {
        this.#cancelDeadline?.();
        this.#frame = undefined;
        this.#running = undefined;
        this.#expire = undefined;
    }

    async expire(timeoutMs: number): Promise<void> {
        const frame = this.#frame;
        this.finish();
        await frame?.expire(timeoutMs);
    }

    #watchDeadline(): void {
        this.#cancelDeadline?.();
        if (this.#expire === undefined) return;
        this.#cancelDeadline = this.#timing.expire(this.#expiresAt - this.#timing.now(), this.#expire);
    }
}
