import type { Attempt } from '../exchange/attempt.js';

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * One run of a handler that stays in memory. What waits for its end is the request of the present round, and not the
 * one that started it: a chain of promises from the handler to the SDK would keep the server of that request alive.
 */
export class ParkedCall {
    #outcome: Outcome | undefined;
    #wake: (() => void) | undefined;
    /** Settles when the handler has ended, and never rejects. */
    readonly over: Promise<void>;

    /**
     * Starts the handler.
     *
     * @param attempt is told its error: whatever becomes of it above the handler, the call is no success.
     */
    constructor(start: () => unknown, attempt: Attempt) {
        // Of the function no more than its promise is kept: it knows the first request.
        this.over = Promise.resolve(begun(start)).then(
            value => this.#end({ value }),
            (error: unknown) => {
                attempt.noteThrow(error);
                this.#end({ error });
            }
        );
    }

    /** How the handler ended or will end, for the request that comes last: an earlier one is told nothing more. */
    join(): Promise<unknown> {
        return new Promise((resolve, reject) => {
            this.#wake = () => {
                const outcome = this.#outcome;
                if (outcome === undefined) return;
                // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
                if ('error' in outcome) reject(outcome.error);
                else resolve(outcome.value);
            };
            this.#wake();
        });
    }

    /** The round is over: its request waits for the handler no longer. */
    leave(): void {
        this.#wake = undefined;
    }

    #end(outcome: Outcome): void {
        this.#outcome = outcome;
        this.#wake?.();
    }
}

function begun(start: () => unknown): unknown {
    try {
        return start();
    } catch (error) {
        // The handler's own error, whatever it is.
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
        return Promise.reject(error);
    }
}
