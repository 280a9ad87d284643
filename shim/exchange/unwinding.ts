import type { Timing } from './timing.js';

/** Registered, so that errors of the ESM copy of this package are known to the CommonJS copy. */
const SUSPENDED = Symbol.for('mcp-mrtr.suspended/1');

/** How often an unwinding frame may ask again: a retry loop that swallows the error must come to an end. */
const MAX_REJECTIONS = 16;

/**
 * What the open asks of a frame reject with under `onSuspend: 'unwind'`, after its round has been sent: the frame is
 * over, and its `finally` may release what it holds.
 */
export class SuspendedError extends Error {
    constructor() {
        super('The call waits for its client, and this run of its handler is over: release what it holds, and rethrow');
        this.name = 'SuspendedError';
        Object.defineProperty(this, SUSPENDED, { value: true });
    }
}

/**
 * Whether an ask was rejected because its frame is unwound, which is no failure: the handler runs again when the
 * client has answered. For a `catch` that would otherwise take it for one.
 */
export function isSuspended(error: unknown): boolean {
    return typeof error === 'object' && error !== null && SUSPENDED in error;
}

/** The end of a frame that is unwound: what it still asks for is refused, and nothing of it is done (DESIGN rule 13). */
export class Unwinding {
    readonly #timing: Timing;
    #rejections = 0;

    constructor(timing: Timing) {
        this.#timing = timing;
    }

    /**
     * Rejects a macrotask later, so that a loop cannot starve the process; after {@link MAX_REJECTIONS}, never.
     *
     * @param told is shown each error.
     */
    refuse(told: (error: SuspendedError) => SuspendedError): Promise<never> {
        const refused = new Promise<never>((_resolve, reject) => {
            if (this.#rejections++ < MAX_REJECTIONS) this.#timing.turn(() => reject(told(new SuspendedError())));
        });
        refused.catch(() => undefined);
        return refused;
    }
}
