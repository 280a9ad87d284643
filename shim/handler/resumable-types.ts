import type { ServerContext } from '@modelcontextprotocol/server';

import type { NeedContext } from './need.js';

/** How one handler is run again. */
export interface ResumableOptions {
    /**
     * `replay`: the handler runs again from the top with every answer, and any instance that holds the key can finish
     * the call.
     *
     * `park`: the handler waits in memory and nothing of it runs twice. Only the process that began the call can finish
     * it: elsewhere, after a restart or when it had to make room, the client is told to call again.
     *
     * `auto`: as `park`, and if the frame is lost the handler runs again from the top as under `replay`, but only if
     * that is known to be safe: see `replaySafe`.
     *
     * @default 'replay'
     */
    readonly mode?: 'replay' | 'park' | 'auto';
    /**
     * Whether mode `auto` may run the handler again. A `once` that was running when its frame was lost runs again too.
     *
     * @default whether the tool is annotated with `readOnlyHint` or `idempotentHint`
     */
    readonly replaySafe?: boolean;
    /**
     * How long to wait for further asks before the open ones are sent, in milliseconds. Give it where asks start side
     * by side after other awaits, as in `Promise.all(items.map(async …))`: they become one round instead of several.
     *
     * @default 0
     */
    readonly settleMs?: number;
    /**
     * Lets the handler finish without having asked again what the client has answered. By default that is a
     * `ReplayDivergedError`, for it means that the answer was given on another branch.
     *
     * @default false
     */
    readonly allowUnclaimed?: boolean;
    /**
     * What becomes of a frame that waits for the client, under mode `replay`. `abandon`: it is never resumed, and neither
     * its `catch` nor its `finally` runs. `unwind`: when the round has been sent, its open asks reject with an error
     * that `isSuspended` knows, so that a `finally` can release a lock. Everything runs that follows a `catch` which
     * does not rethrow; asks and onces there are refused.
     *
     * @default 'abandon'
     */
    readonly onSuspend?: 'abandon' | 'unwind';
}

/** A parameter that the handler neither annotates nor has. */
interface Unset {
    readonly 'mcp-mrtr: unset': never;
}

/**
 * The type of a handler's parameter at one position: as the registration has it (`Outer`), else as the handler
 * annotates it (`Own`), else the context.
 *
 * One signature serves handlers inside a registration and apart from it, because TypeScript gives the parameters of a
 * function expression their types once, from the first overload that it tries.
 */
type ParameterAt<Outer extends readonly unknown[], Position extends number, Own> = [Outer] extends [never]
    ? Own extends Unset
        ? NeedContext
        : Own
    : Outer extends readonly [...infer Before, unknown]
      ? [...Before, NeedContext][Position]
      : NeedContext;

/** The parameters that a handler annotates, up to its context, as the SDK passes them. */
type OwnParameters<First, Second, Third> =
    IsContext<First> extends true
        ? [ctx: ServerContext]
        : IsContext<Second> extends true
          ? [first: First, ctx: ServerContext]
          : IsContext<Third> extends true
            ? [first: First, second: Second, ctx: ServerContext]
            : [first: First, second: Second, third: Third];

type IsContext<T> = 0 extends 1 & T ? false : [T] extends [Unset | ServerContext | undefined] ? true : false;

/**
 * Wraps a handler that may ask its client: of a tool, prompt, resource or resource template, or of a low-level
 * request. The context is its last parameter, and has `need`, `once`, `round` and `replaying` added.
 *
 * Inside a registration everything is inferred. Apart from one, annotate what comes before the context:
 * `resumable(async ({ order }: { order: string }, ctx) => …)`.
 */
export interface Resumable {
    <R, Outer extends unknown[] = never, First = Unset, Second = Unset, Third = Unset>(
        handler: ResumableHandler<R, Outer, First, Second, Third>
    ): (...args: SdkParameters<Outer, First, Second, Third>) => R;
    <R, Outer extends unknown[] = never, First = Unset, Second = Unset, Third = Unset>(
        options: ResumableOptions,
        handler: ResumableHandler<R, Outer, First, Second, Third>
    ): (...args: SdkParameters<Outer, First, Second, Third>) => R;
}

type ResumableHandler<R, Outer extends readonly unknown[], First, Second, Third> = (
    first: ParameterAt<Outer, 0, First>,
    second: ParameterAt<Outer, 1, Second>,
    third: ParameterAt<Outer, 2, Third>
) => R;

type SdkParameters<Outer extends readonly unknown[], First, Second, Third> = [Outer] extends [never]
    ? OwnParameters<First, Second, Third>
    : Outer;
