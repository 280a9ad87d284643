import type { QuestionMemory } from './question-memory.js';
import type { EmbeddedRequest, Question } from './question.js';
import type { Timing } from './timing.js';

/** What an attempt is given by its host: everything that the engine must not know itself. */
export interface AttemptHost {
    readonly timing: Timing;
    readonly memory: QuestionMemory;
    /** What error messages call the handler, as `Tool 'refund'`. */
    readonly handler: string;
    /** An answer as the handler shall see it, or `undefined` if its shape does not fit the request. */
    read(request: EmbeddedRequest, value: unknown): unknown;
    /** Why this question cannot be sent to the client of this request, if so. */
    refuse(request: EmbeddedRequest): Error | undefined;
    /** The pages that the user has to visit before the handler can go on, if that is what this error says. */
    pagesOf(error: unknown): readonly Question[] | undefined;
    /** Whether a result that did not come from the handler is an error result. */
    isFailure(value: unknown): boolean;
    /** The error ends what a frame that is over waits for, and nobody may be there to handle it. */
    mayGoUnhandled?(error: Error): void;
    onDiverge?(event: DivergeEvent): void;
}

/** An answer that was not given where it was expected. Says nothing of the answer itself. */
export interface DivergeEvent {
    readonly handler: string;
    readonly key: string;
    /**
     * `refused`: the question under the key has changed. `held`: not reached before the next round, kept for later.
     * `left`: recorded in an earlier round and not reached again by a handler that has finished.
     */
    readonly kind: 'refused' | 'held' | 'left';
}

/** Per handler, from the options of `resumable`. */
export interface AttemptPolicy {
    /** How long to wait for further asks before a round is sent, in milliseconds. */
    readonly settleMs: number;
    /** Lets a handler finish that did not come back to the question which the client has answered. */
    readonly allowUnclaimed: boolean;
    /**
     * What becomes of the frame when its round is sent. `abandon`: it is never resumed. `unwind`: its open asks reject,
     * so that it releases what it holds. `rest`: it stays in memory, and goes on with the next request.
     *
     * @default 'abandon'
     */
    readonly onSuspend?: 'abandon' | 'unwind' | 'rest';
}
