import type { Attempt } from '../exchange/attempt.js';

/**
 * One run of a handler that stays in memory. What waits for its end is the request of the present round, and not the
 * one that started it: a chain of promises from the handler to the SDK would keep the server of that request alive.
 */
export class ParkedCall {
    #outcome: { readonly value: unknown } | { readonly error: unknown } | undefined;
    #wake: (() => void) | undefined;
    /** Settles when the handler has ended, and never rejects. */
    readonly over: Promise<void>;

    /**
     * Starts the handler.
     *
     * @param attempt is told its error: whatever becomes of it above the handler, the call is no success.
     */
    constructor(start: () => unknown, attempt: Attempt) {
        this.over = this.#follow(begun(start), attempt);
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

    /** Takes the promise and not the function, which knows the first request and would be held until the end. */
    async #follow(result: unknown, attempt: Attempt): Promise<void> {
        try {
            this.#outcome = { value: await result };
        } catch (error) {
            attempt.noteThrow(error);
            this.#outcome = { error };
        }
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
