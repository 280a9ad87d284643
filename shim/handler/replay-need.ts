import type { CreateMessageRequest, ElicitResult, jsonSchemaValidator } from '@modelcontextprotocol/server';

import type { Attempt } from '../exchange/attempt.js';
import { quietRejection } from '../exchange/promises.js';
import { questionText } from '../exchange/question.js';
import type { EmbeddedRequest, Question } from '../exchange/question.js';
import { askDetails, assertAsk } from './ask.js';
import type { Ask } from './ask.js';
import { announcedAsk, announcedOnce, asRuntime } from './channels.js';
import { assertContentMatches, readContent } from './content.js';
import { shortDigest } from './digest.js';
import type { JsonCopy, Need, NeedFunctions } from './need.js';
import { assertToolResultsMatch } from './sampling-messages.js';

const ATTEMPT = Symbol('attempt');

/** `Need` of an attempt, but for what changes as it goes on: contexts have that live. */
export type AttemptNeed = NeedFunctions & { readonly [ATTEMPT]: Attempt };

/** Shared by all contexts, where closures would cost each of them a shape of its own: 450 bytes for a parked frame. */
const LIVE: PropertyDescriptorMap & ThisType<{ readonly [ATTEMPT]: Attempt }> = {
    round: {
        enumerable: true,
        configurable: true,
        get() {
            return this[ATTEMPT].round;
        }
    },
    replaying: {
        enumerable: true,
        configurable: true,
        get() {
            return this[ATTEMPT].replaying;
        }
    }
};

/** Adds `need` and its companions to a context, with `round` and `replaying` as live as they are. */
export function addNeed<Context extends object>(context: Context, attemptNeed: AttemptNeed): Context & Need {
    const { need, once, onceSync, [ATTEMPT]: attempt } = attemptNeed;
    const members = Object.assign(context, { need, once, onceSync, [ATTEMPT]: attempt });
    return Object.defineProperties(members, LIVE) as typeof members & Need;
}

/**
 * `ctx.need` on 2026-07-28: the attempt decides whether there is an answer, or the call has to wait for one.
 *
 * @param validator checks the content of forms, as the server of the present round does; the SDK's default, if absent.
 */
export function createReplayNeed(attempt: Attempt, validator: () => jsonSchemaValidator | undefined): AttemptNeed {
    return {
        // The answer has been read by the schema of the request's kind, to which the builders tie `Result`.
        need: <Result>(key: string, ask: Ask<Result>) => answerTo(attempt, validator, key, ask) as Promise<Result>,
        once: <T>(key: string, fn: () => T | PromiseLike<T>) =>
            asRuntime(() => attempt.once(key, announcedOnce(attempt, key, fn))) as Promise<JsonCopy<T>>,
        onceSync: <T>(key: string, fn: () => T) =>
            asRuntime(() => attempt.onceSync(key, announcedOnce(attempt, key, fn))) as JsonCopy<T>,
        [ATTEMPT]: attempt
    };
}

/** Passes the attempt's own promise on: one that is derived of it would cost a parked frame 700 bytes. */
function answerTo(
    attempt: Attempt,
    validator: () => jsonSchemaValidator | undefined,
    key: string,
    ask: Ask<unknown>
): Promise<unknown> {
    try {
        assertAsk(key, ask);
        const request = embedded(ask);
        if (request.method === 'sampling/createMessage') {
            assertToolResultsMatch(request.params as CreateMessageRequest['params']);
        }
        const question = questionOf(ask, request);
        return announcedAsk(attempt, key, question, () => {
            if (request.method !== 'elicitation/create' || askDetails(ask).unchecked) return attempt.ask(key, question);
            const accept = (answer: unknown): unknown => readElicited(answer as ElicitResult, ask, validator());
            return attempt.ask(key, { ...question, accept });
        });
    } catch (error) {
        return quietRejection(error as Error);
    }
}

/** The request as it goes to the client: without the id that only 2025-11-25 knows. */
export function embedded({ method, params }: Ask<unknown>): EmbeddedRequest {
    if (params === undefined) return { method };
    if (!('elicitationId' in params)) return { method, params };
    return { method, params: Object.fromEntries(Object.entries(params).filter(([name]) => name !== 'elicitationId')) };
}

/** An ask as the engine knows it. */
export function questionOf(ask: Ask<unknown>, request: EmbeddedRequest = embedded(ask)): Question {
    return { request, digest: shortDigest(questionText(request, askDetails(ask).identity)) };
}

/** @throws ProtocolError, also as a rejection, if the content is not what the form asks for. */
export function readElicited(
    result: ElicitResult,
    ask: Ask<unknown>,
    validator: jsonSchemaValidator | undefined
): ElicitResult | Promise<ElicitResult> {
    assertContentMatches(result, ask.params?.['requestedSchema'], validator);
    const { schema } = askDetails(ask);
    return schema === undefined ? result : readContent(result, schema);
}
