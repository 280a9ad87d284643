import type { ServerContext } from '@modelcontextprotocol/server';

import { tellClient } from '../handler/context.js';
import type { NeedContext, NeedFunctions } from '../handler/need.js';
import { addNeed } from '../handler/replay-need.js';
import type { AttemptNeed } from '../handler/replay-need.js';
import type { CancelWatcher, Frame } from './frame.js';

/** Marks the context of a parked handler with its `Need`, for resumable handlers that it calls itself. */
const PARKED = Symbol.for('mcp-mrtr.parked/1');

type Request = ServerContext['mcpReq'];

/** The `Need` of the parked handler that this context belongs to. */
export function needOfParked(ctx: object): NeedFunctions | undefined {
    return (ctx as { [PARKED]?: NeedFunctions })[PARKED];
}

const FRAME = Symbol('frame');

/** Shared by all contexts, where members and closures of their own would cost each parked frame 1,200 bytes. */
const LIVE_REQUEST = live({
    id: frame => frame.facts?.id,
    _meta: frame => frame.facts?.meta,
    envelope: frame => frame.facts?.envelope,
    signal: frame => frame.signal,
    // Functions need no `this`: handlers take them out of their context.
    send:
        frame =>
        (...args: Parameters<Request['send']>) =>
            present(frame).send(...args),
    elicitInput:
        frame =>
        (...args: Parameters<Request['elicitInput']>) =>
            present(frame).elicitInput(...args),
    requestSampling:
        frame =>
        (...args: Parameters<Request['requestSampling']>) =>
            present(frame).requestSampling(...args),
    notify:
        frame =>
        (...args: Parameters<Request['notify']>) =>
            tell(frame, request => request.notify(...args)),
    log:
        frame =>
        (...args: Parameters<Request['log']>) =>
            tell(frame, request => request.log(...args))
});
const LIVE_HTTP = live({
    authInfo: frame => frame.facts?.authInfo,
    req: frame => frame.round?.ctx.http?.req,
    closeSSE: frame => () => frame.round?.ctx.http?.closeSSE?.(),
    closeStandaloneSSE: frame => () => frame.round?.ctx.http?.closeStandaloneSSE?.()
});

/** Members that are read anew whenever they are used; code around a handler may put its own in their place. */
function live(members: Readonly<Record<string, (frame: Frame) => unknown>>): PropertyDescriptorMap {
    const descriptors = Object.entries(members).map(([name, read]): [string, PropertyDescriptor] => {
        const get = function (this: { readonly [FRAME]: Frame }): unknown {
            return read(this[FRAME]);
        };
        const set = function (this: object, value: unknown): void {
            Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
        };
        return [name, { enumerable: true, configurable: true, get, set }];
    });
    return Object.fromEntries(descriptors);
}

/**
 * The context of a handler that stays in memory. It reads everything from the request of the present round, and holds
 * none: with the SDK's own context a parked frame retained the whole server of its request, 29 KiB with one tool and
 * 199 KiB with twenty (DESIGN rule 11).
 *
 * Between rounds there is nobody to notify; progress and log messages are dropped (rule 14). The signal is that of the
 * call, for code that took it before an ask uses it after.
 */
export function detachedContext(frame: Frame, first: ServerContext, need: AttemptNeed): NeedContext {
    const request = { [FRAME]: frame, method: first.mcpReq.method, requestState: noState };
    const context = {
        ...withoutRequest(first),
        mcpReq: Object.defineProperties(request, LIVE_REQUEST),
        ...(first.http && { http: Object.defineProperties({ [FRAME]: frame }, LIVE_HTTP) }),
        [PARKED]: need
    };
    return addNeed(context, need) as unknown as NeedContext;
}

/** Tells when the call that this context belongs to is cancelled; at once, if it is. */
export function onCancel({ mcpReq }: ServerContext, watcher: CancelWatcher): void {
    const { [FRAME]: frame } = mcpReq as { readonly [FRAME]?: Frame };
    if (frame !== undefined) {
        frame.onCancel(watcher);
        return;
    }
    const { signal } = mcpReq;
    if (signal.aborted) watcher.onCancelled(signal.reason);
    else signal.addEventListener('abort', () => watcher.onCancelled(signal.reason), { once: true });
}

function tell(frame: Frame, send: (request: Request) => Promise<void>): Promise<void> {
    const request = frame.round?.ctx.mcpReq;
    return tellClient(frame.attempt, request && (() => send(request)));
}

function noState(): undefined {
    return undefined;
}

/** What code above the handler has added to its context stays; how it came here does not. */
function withoutRequest(ctx: ServerContext): object {
    const rest: Partial<ServerContext> = { ...ctx };
    delete rest.mcpReq;
    delete rest.http;
    for (const symbol of Object.getOwnPropertySymbols(rest)) Reflect.deleteProperty(rest, symbol);
    return rest;
}

function present({ round }: Frame): Request {
    if (round !== undefined) return round.ctx.mcpReq;
    throw new Error('The call waits for its client: no request is there to send anything beside. Use ctx.need.');
}
