import type { ServerContext } from '@modelcontextprotocol/server';

import type { AttemptPolicy } from '../exchange/attempt-host.js';
import { InvalidStateError } from '../state/errors.js';
import { pushContext, replayContext } from './context.js';
import { createDirectNeed } from './direct-need.js';
import { isAskingMethod, isMultiRoundTrip } from './era.js';
import { NotAttachedError, UnsupportedMethodError } from './errors.js';
import type { Need, NeedContext } from './need.js';
import { createPushNeed } from './push-need.js';
import { createReplayNeed } from './replay-need.js';
import type { Resumable, ResumableOptions } from './resumable-types.js';
import { runWithNeed } from './running.js';
import { visitOf } from './visit.js';
import type { Visit } from './visit.js';

/** A handler as the SDK calls it: whatever comes first, the context comes last. */
type Handler = (...args: unknown[]) => unknown;

/**
 * Makes the `resumable` function of an instance.
 *
 * @param pushTimeoutMs how long a pushed request may wait for its answer on a 2025-era connection.
 */
export function createResumable(pushTimeoutMs: number): Resumable {
    const resumable = (first: ResumableOptions | Handler, second?: Handler): Handler => {
        const [options, handler] = typeof first === 'function' ? [{}, first] : [first, second];
        if (typeof handler !== 'function') throw new TypeError('resumable(handler) takes the function to wrap');
        const policy = policyOf(options);
        return (...args) => {
            const ctx = contextOf(args);
            const run = (need: Need, context: NeedContext): unknown =>
                runWithNeed(need, () => handler(...args.slice(0, -1), context));
            if (!isMultiRoundTrip(ctx)) {
                const need = createPushNeed(ctx, pushTimeoutMs);
                return run(need, pushContext(ctx, need));
            }
            const visit = visitOf(ctx);
            if (visit !== undefined) return replay(visit, ctx, policy, run);
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
    run: (need: Need, context: NeedContext) => unknown
): unknown {
    const { attempt } = visit;
    if (visit.foreignState) {
        attempt.fail(new InvalidStateError('foreign'));
        return new Promise(() => undefined);
    }
    // A resumable handler that calls another one is still one attempt, under the policy of the outer one.
    if (visit.need !== undefined) return run(visit.need, replayContext(ctx, visit.need, attempt));
    const need = (visit.need = createReplayNeed(attempt, visit.validator));
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

/** On 2026-07-28, for requests whose results cannot require input: the handler runs, and its asks reject. */
function createMuteNeed(method: string): Need {
    if (isAskingMethod(method)) throw new NotAttachedError(method);
    return createDirectNeed(key => Promise.reject(new UnsupportedMethodError(method, key)));
}

function policyOf(options: ResumableOptions): AttemptPolicy {
    // What is not built must not quietly behave as something else; plain JavaScript has no types to say so.
    const { mode = 'replay', onSuspend = 'abandon', settleMs = 0, allowUnclaimed = false } = options;
    if ((mode as string) !== 'replay') throw new TypeError(`resumable: mode '${mode}' is not part of this version`);
    if ((onSuspend as string) !== 'abandon') {
        throw new TypeError(`resumable: onSuspend '${onSuspend}' is not part of this version`);
    }
    if (!Number.isFinite(settleMs) || settleMs < 0) {
        throw new RangeError(`resumable: settleMs must be a number of milliseconds, got ${settleMs}`);
    }
    return { settleMs, allowUnclaimed };
}

function contextOf(args: readonly unknown[]): ServerContext {
    const last = args.at(-1);
    if (typeof last === 'object' && last !== null && 'mcpReq' in last) return last as ServerContext;
    throw new TypeError('A resumable handler was called without a context as its last argument');
}

function isPromiseLike(value: unknown): value is Promise<unknown> {
    return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
