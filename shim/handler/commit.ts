import { commitOnce } from '../commit/commit-once.js';
import type { Retry } from '../commit/commit-once.js';
import { CommitStoreError, OutcomeUnknownError, UsedStateError } from '../commit/errors.js';
import { canonicalJson } from '../exchange/canonical.js';
import type { Timing } from '../exchange/timing.js';
import type { SeamRequest } from './attach.js';
import { targetOf } from './binding.js';
import { shortDigest } from './digest.js';
import type { MrtrOptions } from './options.js';

interface CommitOptions extends Pick<MrtrOptions, 'commitStore' | 'onError'> {
    readonly timing: Timing;
    readonly warn: (message: string) => void;
}

/** A retry whose state has been opened. */
interface OpenedRetry extends Pick<Retry, 'expiresAt' | 'run' | 'began'> {
    readonly state: string;
    readonly answers: ReadonlyMap<string, unknown>;
}

/**
 * Runs a retry, through the commit store if there is one. A sealed state has one spelling and a random part, so its
 * digest names it; the digest of the answers has the state in it, which the store does not know, so that a plain yes or
 * no cannot be guessed from it.
 */
export async function commit(
    request: SeamRequest,
    { state, answers, ...retry }: OpenedRetry,
    { commitStore, onError, timing, warn }: CommitOptions
): Promise<unknown> {
    if (commitStore === undefined) return retry.run();
    const named: Retry = {
        ...retry,
        id: shortDigest(state),
        answers: shortDigest(canonicalJson([state, Object.fromEntries(answers)])),
        signal: request.ctx.mcpReq.signal
    };
    try {
        return await commitOnce(named, commitStore, timing, warn);
    } catch (error) {
        if (isCommitError(error)) {
            onError?.({ method: request.method, target: targetOf(request), fault: error.data.reason });
        }
        throw error;
    }
}

function isCommitError(error: unknown): error is UsedStateError | OutcomeUnknownError | CommitStoreError {
    return error instanceof UsedStateError || error instanceof OutcomeUnknownError || error instanceof CommitStoreError;
}
