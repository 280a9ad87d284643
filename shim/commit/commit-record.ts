import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** What is kept under a claim. */
export interface CommitRecord {
    /** Digest of the answers that the holder runs with. */
    readonly answers: string;
    /** How the call ended; absent as long as the holder runs. */
    readonly outcome?: CommitOutcome;
    /** Counts up while the holder runs, so that the others see that it does. */
    readonly beat?: number;
}

/** A result, or what the SDK makes of an error on the wire. */
export type CommitOutcome =
    | { readonly result: unknown }
    | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** An error as far as the client hears of it. */
export function failureOf(thrown: unknown): CommitOutcome {
    const { code, message, data } = Object(thrown) as { code?: unknown; message?: unknown; data?: unknown };
    const error = {
        code: Number.isSafeInteger(code) ? (code as number) : ProtocolErrorCode.InternalError,
        message: typeof message === 'string' ? message : 'Internal error',
        ...(data !== undefined && { data })
    };
    return { error };
}

/**
 * The recorded result.
 *
 * @throws ProtocolError the recorded error, with its class where the SDK has one: -32021 has an HTTP status of its own.
 */
export function replay(outcome: CommitOutcome): unknown {
    if ('result' in outcome) return outcome.result;
    const { code, message, data } = outcome.error;
    throw ProtocolError.fromError(code, message, data);
}
