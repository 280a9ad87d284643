/** JSON-RPC "invalid params": the state names a frame that cannot go on with it. */
const INVALID_PARAMS = -32602;

/** Why a state that opened could not be matched with its frame. */
export type LostFrame = 'frame_gone' | 'already_used' | 'other_instance';

const EXPLANATIONS: Readonly<Record<LostFrame, string>> = {
    frame_gone: 'is not in memory any more: it waited for too long, had to make room, or the server was stopped',
    already_used: 'has gone on with other answers to this state, or a later one',
    other_instance: 'is in the memory of another instance of this server'
};

/**
 * A retry names a call whose frame is gone, used or elsewhere, and that must not start again from the top. Answered as
 * JSON-RPC error -32602 (DESIGN rule 19).
 */
export class FrameLostError extends Error {
    readonly code = INVALID_PARAMS;
    readonly data: { readonly reason: LostFrame };

    /** @param handler what messages call the handler, as `Tool 'refund'`. */
    constructor(handler: string, reason: LostFrame) {
        const advice = reason === 'already_used' ? '' : ' Call again.';
        super(`${handler}: the call that this requestState belongs to ${EXPLANATIONS[reason]}.${advice}`);
        this.name = 'FrameLostError';
        this.data = { reason };
    }
}
