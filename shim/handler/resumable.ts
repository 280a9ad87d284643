import type { ClientCapabilities, ServerContext } from '@modelcontextprotocol/server';

import type { AttemptPolicy } from '../exchange/attempt-host.js';
import { detachedContext, needOfParked } from '../park/detached-context.js';
import type { Fallback, Frame } from '../park/frame.js';
import { InvalidStateError } from '../state/errors.js';
import { pushContext, replayContext } from './context.js';
import { createDirectNeed } from './direct-need.js';
import { envelopeCapabilities, isAskingMethod, isMultiRoundTrip } from './era.js';
import { NotAttachedError, UnsupportedMethodError } from './errors.js';
import type { Need, NeedContext, NeedFunctions } from './need.js';
import { createPushNeed } from './push-need.js';
import { createReplayNeed } from './replay-need.js';
import type { AttemptNeed } from './replay-need.js';
import type { Resumable, ResumableOptions } from './resumable-types.js';
import { runWithNeed } from './running.js';
import { visitOf } from './visit.js';
import type { Visit } from './visit.js';

export type RunHandler = <T>(need: NeedFunctions, declared: ClientCapabilities | undefined, run: () => T) => T;

/** A handler as the SDK calls it: whatever comes first, the context comes last. */
type Handler = (...args: unknown[]) => unknown;

/**
 * Makes the `resumable` function of an instance.
 *
 * @param pushTimeoutMs how long a pushed request may wait for its answer on a 2025-era connection.
 * @param runHandler runs a handler, so that the function `need` finds it.
 */
export function createResumable(pushTimeoutMs: number, runHandler: RunHandler = runWithNeed): Resumable {
    const resumable = (first: ResumableOptions | Handler, second?: Handler): Handler => {
        const [options, handler] = typeof first === 'function' ? [{}, first] : [first, second];
        if (typeof handler !== 'function') throw new TypeError('resumable(handler) takes the function to wrap');
        const policy = policyOf(options);
        const fallback = fallbackOf(options);
        return (...args) => {
            const ctx = contextOf(args);
            const declared = envelopeCapabilities(ctx);
            const run = (need: NeedFunctions, context: NeedContext): unknown =>
                runHandler(need, declared, () => handler(...args.slice(0, -1), context));
            if (!isMultiRoundTrip(ctx)) {
                const need = createPushNeed(ctx, pushTimeoutMs);
                return run(need, pushContext(ctx, need));
            }
            // A parked handler that calls this one: it is part of the same frame.
            const outer = needOfParked(ctx);
            if (outer !== undefined) return run(outer, ctx as NeedContext);
            const visit = visitOf(ctx);
            if (visit !== undefined) {
                if (visit.foreignState) return refuseState(visit);
                if (visit.need !== undefined && !visit.frame.parks && fallback === 'never') return refuseMode(visit);
                const parks = visit.frame.parks || (visit.need === undefined && fallback !== undefined);
                return parks ? park(visit, ctx, policy, fallback, run) : replay(visit, ctx, policy, run);
            }
            const need = createMuteNeed(ctx.mcpReq.method);
            return run(need, pushContext(ctx, need));
        };
    };
    // `Resumable` gives types to what is variadic here.
    return resumable;
}

/** Runs the handler as part of the attempt that the seam has opened for this request. */
function replay(
    visit: Visit,
    ctx: ServerContext,
    policy: AttemptPolicy,
    run: (need: NeedFunctions, context: NeedContext) => unknown
): unknown {
    const { attempt } = visit.frame;
    // A resumable handler that calls another one is still one attempt, under the policy of the outer one.
    if (visit.need !== undefined) return run(visit.need, replayContext(ctx, visit.need, attempt));
    const need = (visit.need = createReplayNeed(attempt, () => visit.round.validator));
    attempt.begin(policy);
    const note = (error: unknown): never => {
        attempt.noteThrow(error);
        throw error;
    };
    try {
        const result = run(need, replayContext(ctx, need, attempt));
        return isPromiseLike(result) ? result.then(undefined, note) : result;
    } catch (error) {
        return note(error);
    }
}

/** Runs the handler in a frame that stays in memory, or joins it there. */
function park(
    { frame, round }: Visit,
    ctx: ServerContext,
    policy: AttemptPolicy,
    fallback: Fallback = 'never',
    run: (need: NeedFunctions, context: NeedContext) => unknown
): Promise<unknown> {
    if (!frame.parks) {
        frame.park(fallback);
        frame.attempt.begin(policy);
    }
    return frame.call(round, () => {
        const need = needIn(frame);
        return run(need, detachedContext(frame, ctx, need));
    });
}

/** Apart from what knows the first request: functions that are made in one scope hold all that any of them uses. */
function needIn(frame: Frame): AttemptNeed {
    return createReplayNeed(frame.attempt, () => frame.round?.validator);
}

/** The request has begun with a handler that runs again in each round, and all of it would run again with that. */
function refuseMode({ frame }: Visit): Promise<never> {
    frame.attempt.fail(
        new TypeError(
            "resumable: a handler that must not run again (mode 'park' or 'auto') was called in a request that had begun " +
                "under mode 'replay'. Give the handlers of one request the same mode."
        )
    );
    return new Promise(() => undefined);
}

/** A state that is not ours: no resumable handler may start on it. */
function refuseState({ frame }: Visit): Promise<never> {
    frame.attempt.fail(new InvalidStateError('foreign'));
    return new Promise(() => undefined);
}

/** On 2026-07-28, for requests whose results cannot require input: the handler runs, and its asks reject. */
function createMuteNeed(method: string): Need {
    if (isAskingMethod(method)) throw new NotAttachedError(method);
    return createDirectNeed(key => Promise.reject(new UnsupportedMethodError(method, key)));
}

function policyOf(options: ResumableOptions): AttemptPolicy {
    // What is misspelt must not quietly behave as something else; plain JavaScript has no types to say so.
    const { mode = 'replay', onSuspend = 'abandon', settleMs = 0, allowUnclaimed = false } = options;
    if (!['replay', 'park', 'auto'].includes(mode)) throw new TypeError(`resumable: there is no mode '${mode}'`);
    if (!['abandon', 'unwind'].includes(onSuspend)) {
        throw new TypeError(`resumable: there is no onSuspend '${onSuspend}'`);
    }
    if (onSuspend === 'unwind' && mode !== 'replay') {
        throw new TypeError(`resumable: onSuspend 'unwind' is for mode 'replay'; under '${mode}' the frame goes on`);
    }
    if (!Number.isFinite(settleMs) || settleMs < 0) {
        throw new RangeError(`resumable: settleMs must be a number of milliseconds, got ${settleMs}`);
    }
    return { settleMs, allowUnclaimed, onSuspend: mode === 'replay' ? onSuspend : 'rest' };
}

/** What is done if a parked frame is lost; `undefined` for handlers that are not parked. */
function fallbackOf({ mode = 'replay', replaySafe }: ResumableOptions): Fallback | undefined {
    if (mode === 'replay') return undefined;
    if (mode === 'park' || replaySafe === false) return 'never';
    return replaySafe === true ? 'always' : 'if-hinted';
}

function contextOf(args: readonly unknown[]): ServerContext {
    const last = args.at(-1);
    if (typeof last === 'object' && last !== null && 'mcpReq' in last) return last as ServerContext;
    throw new TypeError('A resumable handler was called without a context as its last argument');
}

function isPromiseLike(value: unknown): value is Promise<unknown> {
    return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
