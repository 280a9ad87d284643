import { AskInsideOnceError } from '../exchange/errors.js';
import { insideOnce, replayOutcome, runOnce, runOnceSync } from '../exchange/once.js';
import { assertAsk } from './ask.js';
import type { Ask } from './ask.js';
import type { JsonCopy, Need } from './need.js';

/**
 * `Need` for a handler that runs from top to end in one go: nothing is recorded, but results of `once` are copied
 * through JSON all the same, so that a handler cannot tell the eras apart.
 *
 * @param put brings one question to the client and resolves with its answer.
 */
export function createDirectNeed(put: (key: string, ask: Ask<unknown>) => Promise<unknown>): Need {
    const owner = {};
    return {
        async need<Result>(key: string, ask: Ask<Result>): Promise<Result> {
            assertAsk(key, ask);
            if (insideOnce(owner)) throw new AskInsideOnceError(key);
            // The builders tie `Result` to the kind of the request, by which the answer is parsed.
            return (await put(key, ask)) as Result;
        },
        async once<T>(key: string, fn: () => T | PromiseLike<T>): Promise<JsonCopy<T>> {
            return replayOutcome(await runOnce(owner, key, fn)) as JsonCopy<T>;
        },
        onceSync<T>(key: string, fn: () => T): JsonCopy<T> {
            return replayOutcome(runOnceSync(owner, key, fn)) as JsonCopy<T>;
        },
        round: 0,
        replaying: false
    };
}
