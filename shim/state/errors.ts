/** JSON-RPC "invalid params": the client sent a state that is not worth running a handler for. */
const INVALID_PARAMS = -32602;
/** JSON-RPC "internal error": the server has to change something. */
const INTERNAL_ERROR = -32603;

/** Why a state did not open. For `onError` and logs: the client is told none of it. */
export type StateFault = 'foreign' | 'too_large' | 'malformed' | 'unknown_key' | 'rejected' | 'expired';

/**
 * The `requestState` of a request did not open. Answered as JSON-RPC error -32602 with one opaque text, whatever the
 * reason, so that a client cannot probe what it has to change.
 */
export class InvalidStateError extends Error {
    readonly code = INVALID_PARAMS;
    readonly data = { reason: 'invalid_request_state' } as const;
    /** Not enumerable, so that no serialiser hands it to the client. */
    declare readonly fault: StateFault;

    constructor(fault: StateFault) {
        super('Invalid or expired requestState');
        this.name = 'InvalidStateError';
        Object.defineProperty(this, 'fault', { value: fault, enumerable: false });
    }
}

/** An entry of a state, by its share of the size. */
export interface StateEntrySize {
    readonly key: string;
    readonly bytes: number;
}

/** The sealed state of a round would be larger than `maxStateBytes`. Answered as JSON-RPC error -32603. */
export class StateTooLargeError extends Error {
    readonly code = INTERNAL_ERROR;
    readonly data: { readonly reason: 'state_too_large'; readonly bytes: number; readonly limit: number };

    /** @param call what the state belongs to, as `tools/call 'refund'`. */
    constructor(call: string, bytes: number, limit: number, largest: readonly StateEntrySize[]) {
        const list = largest.map(({ key, bytes: size }) => `'${key}' ${size} bytes`).join(', ');
        super(
            `The request state of ${call} would have ${bytes} bytes, more than the limit of ${limit}. Largest entries: ${list}. ` +
                `Record less with ctx.once, raise maxStateBytes, or keep the call in memory with mode 'park'.`
        );
        this.name = 'StateTooLargeError';
        this.data = { reason: 'state_too_large', bytes, limit };
    }
}
