import type { ServerContext } from '@modelcontextprotocol/server';

import type { Attempt } from '../exchange/attempt.js';
import type { Need, NeedContext } from './need.js';
import { addNeed } from './replay-need.js';
import type { AttemptNeed } from './replay-need.js';

/** Adds `need` to the context of a 2025-era request, which needs no other change. */
export function pushContext(ctx: ServerContext, need: Need): NeedContext {
    return { ...ctx, ...need };
}

/**
 * Brings a notification or a log message to the client. They are silent while the handler runs over old ground, where
 * the client has had them already, and where no request is there to carry them. In an abandoned
 * attempt they never settle; a frame that is over and cleans up, or works on beside its call, must come to its end (DESIGN
 * rules 13 and 14).
 */
export function tellClient(attempt: Attempt, send: (() => Promise<void>) | undefined): Promise<void> {
    if (attempt.ended && !attempt.outlives) return new Promise(() => undefined);
    return send === undefined || attempt.ended || attempt.replaying ? Promise.resolve() : send();
}

/** The context of one attempt. The retry's own material is hidden: it belongs to the engine. */
export function replayContext(ctx: ServerContext, need: AttemptNeed, attempt: Attempt): NeedContext {
    const { inputResponses, droppedInputResponseKeys, ...request } = ctx.mcpReq;
    type Request = typeof request;
    const context = {
        ...ctx,
        mcpReq: {
            ...request,
            requestState: () => undefined,
            notify: (...args: Parameters<Request['notify']>) => tellClient(attempt, () => request.notify(...args)),
            log: (...args: Parameters<Request['log']>) => tellClient(attempt, () => request.log(...args))
        }
    };
    return addNeed(context, need);
}
