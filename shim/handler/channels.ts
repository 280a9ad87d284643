import { channel } from 'node:diagnostics_channel';
import type { Channel } from 'node:diagnostics_channel';

import type { Attempt } from '../exchange/attempt.js';
import type { Question } from '../exchange/question.js';
import { isSuspended } from '../exchange/unwinding.js';
import type { SeamRequest } from './attach.js';
import { handlerLabel } from './binding.js';
import { visitOf } from './visit.js';
import type { Visit } from './visit.js';

/**
 * What tools may watch, through `node:diagnostics_channel`: by name, so that one listener hears the ES module and the
 * CommonJS copy of this package. While nobody listens nothing is made for them.
 */
export interface RoundStart {
    /** What messages call the handler, as `Tool 'refund'`. */
    readonly handler: string;
    /** Names the run of the handler: the same object in all messages about it. A handler that is parked has one. */
    readonly attempt: object;
    /** How many rounds came before this one: 0 on the first request of a call. */
    readonly round: number;
    /** The `requestState` that this request has brought. */
    readonly state: string | undefined;
}

export interface RoundEnd {
    readonly start: RoundStart;
    readonly outcome:
        | { readonly kind: 'finished' }
        | { readonly kind: 'threw'; readonly error: unknown }
        /** Answered with questions. `rests`: the handler waits in memory for the answers, and nothing of it runs again. */
        | {
              readonly kind: 'suspended';
              readonly keys: readonly string[];
              readonly state: string | undefined;
              readonly rests: boolean;
          };
}

export interface AskCall {
    readonly attempt: object;
    /** As its author gave it, without its occurrence. */
    readonly key: string;
    readonly question: Question;
}

export interface OnceRun {
    readonly attempt: object;
    readonly key: string;
}

/** The open asks of this attempt reject, so that its frame releases what it holds (`onSuspend: 'unwind'`). */
export interface Unwind {
    readonly attempt: object;
}

/** The handler itself has ended, in whose context this is published; what becomes of it is the end of the round. */
export interface HandlerEnd {
    /** What it threw, if it did: the SDK makes a result of that. */
    readonly thrown?: { readonly error: unknown };
}

/** Carries the code above the handler and the handler, as `runStores` does it. */
export const roundStarts = channel('mcp-mrtr:round') as Channel<unknown, RoundStart>;
export const roundEnds = channel('mcp-mrtr:round:end') as Channel<unknown, RoundEnd>;
/** Each call of `need`, whether it has a recorded answer or not. */
export const askCalls = channel('mcp-mrtr:ask') as Channel<unknown, AskCall>;
/** Carries the function of a `once`, when it runs. */
export const onceRuns = channel('mcp-mrtr:once') as Channel<unknown, OnceRun>;

export const unwinds = channel('mcp-mrtr:unwind') as Channel<unknown, Unwind>;
export const handlerEnds = channel('mcp-mrtr:handler:end') as Channel<unknown, HandlerEnd>;
/** Carries what the runtime does for a handler that has called it: in a bundle no file name tells them apart. */
export const runtimeWork = channel('mcp-mrtr:runtime') as Channel<unknown, object>;

/** Answers a request with `run`, and announces its round to who listens: the handler runs as part of it. */
export function announced(request: SeamRequest, run: (request: SeamRequest) => unknown): unknown {
    return roundStarts.hasSubscribers ? runAnnounced(request, run) : run(request);
}

async function runAnnounced(request: SeamRequest, run: (request: SeamRequest) => unknown): Promise<unknown> {
    let visit: Visit | undefined;
    let start: RoundStart | undefined;
    const proceed: SeamRequest['proceed'] = ctx => {
        visit = visitOf(ctx);
        if (visit === undefined) return request.proceed(ctx);
        const { attempt } = visit.frame;
        start = { handler: handlerLabel(request), attempt, round: attempt.round, state: stateOf(ctx) };
        return roundStarts.runStores(start, () => request.proceed(ctx));
    };
    const end = (outcome: RoundEnd['outcome']): void => {
        // A request that is refused, or gets the result of another one, has no round.
        if (start !== undefined) roundEnds.publish({ start, outcome });
    };
    try {
        const result = await run({ ...request, proceed });
        end(outcomeOf(result, visit?.frame.parks === true));
        return result;
    } catch (error) {
        end({ kind: 'threw', error });
        throw error;
    }
}

function outcomeOf(result: unknown, rests: boolean): RoundEnd['outcome'] {
    const { resultType, inputRequests, requestState: state } = (result ?? {}) as Record<string, unknown>;
    if (resultType !== 'input_required') return { kind: 'finished' };
    return {
        kind: 'suspended',
        keys: Object.keys(inputRequests ?? {}),
        state: typeof state === 'string' ? state : undefined,
        rests
    };
}

function stateOf(ctx: SeamRequest['ctx']): string | undefined {
    const state: unknown = ctx.mcpReq.requestState();
    return typeof state === 'string' ? state : undefined;
}

/** Says that `attempt` has come to this question, and asks it. */
export function announcedAsk(
    attempt: Attempt,
    key: string,
    question: Question,
    ask: () => Promise<unknown>
): Promise<unknown> {
    if (!askCalls.hasSubscribers) return ask();
    askCalls.publish({ attempt, key, question });
    const answer = asRuntime(ask);
    // Before the handler learns of it, which waits for this promise from now on.
    answer.then(undefined, (error: unknown) => {
        if (isSuspended(error)) unwinds.publish({ attempt });
    });
    return answer;
}

/** The function of a `once`, announced to who listens when it runs. */
export function announcedOnce<T>(attempt: Attempt, key: string, fn: () => T): () => T {
    return onceRuns.hasSubscribers ? () => onceRuns.runStores({ attempt, key }, fn) : fn;
}

/** Runs a handler, and announces its end to who listens. */
export function announcedHandler<T>(run: () => T): T {
    if (!handlerEnds.hasSubscribers) return run();
    const threw = (error: unknown): void => handlerEnds.publish({ thrown: { error } });
    try {
        const result = run();
        if (result instanceof Promise) result.then(() => handlerEnds.publish({}), threw);
        else handlerEnds.publish({});
        return result;
    } catch (error) {
        threw(error);
        throw error;
    }
}

/** What the runtime does by itself. */
export function asRuntime<T>(work: () => T): T {
    return runtimeWork.hasSubscribers ? runtimeWork.runStores({}, work) : work();
}
