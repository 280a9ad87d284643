import type { EmbeddedRequest } from '../exchange/question.js';
import type { Params } from './json-rpc.js';
import type { RequestFacts } from './link/link.js';

/**
 * Waits for an outcome. An object and no promise: a call that waits for a person keeps each promise between the question
 * and its answer, 150 bytes for one and 400 with the asynchronous function around it.
 */
export interface Receiver {
    resolve(result: Params): void;
    reject(error: Error): void;
}

/** The call of a client, as the old server meets it: the one that receives its result. */
export interface Call extends Receiver {
    readonly method: string;
    /** Why the client does not want the result any more, if so. */
    readonly cancelled: Error | undefined;
    /** Brings a question to the client. Rejects with what the old server shall be told; may never settle. */
    ask(request: EmbeddedRequest, answer: Receiver): void;
    progress(params: Params): void;
    log(params: Params): void;
}

/** What of a call goes to the old server: nobody keeps it. */
export interface CallContent {
    readonly params: Params;
    readonly facts: RequestFacts;
}
