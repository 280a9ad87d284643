/** JSON-RPC "invalid params": the client sent something that it must not send. */
const INVALID_PARAMS = -32602;
/** JSON-RPC "internal error": nothing that the client sent is at fault. */
const INTERNAL_ERROR = -32603;

/** Why a retry was not run, or not believed, for `onError` and logs. */
export type CommitFault = 'already_used' | 'outcome_unknown' | 'commit_store';

/** The state has been answered before, and differently. Answered as JSON-RPC error -32602. */
export class UsedStateError extends Error {
    readonly code = INVALID_PARAMS;
    readonly data: { readonly reason: CommitFault } = { reason: 'already_used' };

    constructor() {
        super(
            'This requestState has been answered before, with other answers. Call again from the start to answer anew.'
        );
        this.name = 'UsedStateError';
    }
}

/**
 * The instance that took this retry went silent before it said how the call ended. Running the handler again could do
 * everything twice, so nobody does. Answered as JSON-RPC error -32603.
 */
export class OutcomeUnknownError extends Error {
    readonly code = INTERNAL_ERROR;
    readonly data: { readonly reason: CommitFault } = { reason: 'outcome_unknown' };

    constructor() {
        super(
            'The outcome of this call is unknown: the instance that was finishing it has gone silent. It may have taken ' +
                'effect: look before you call again.'
        );
        this.name = 'OutcomeUnknownError';
    }
}

/** The commit store failed before the handler was run. Answered as JSON-RPC error -32603; `cause` stays here. */
export class CommitStoreError extends Error {
    readonly code = INTERNAL_ERROR;
    readonly data: { readonly reason: CommitFault } = { reason: 'commit_store' };

    constructor(cause: unknown) {
        super('The commit store of this server failed, and the call was not continued. Send the same request again.', {
            cause
        });
        this.name = 'CommitStoreError';
    }
}
