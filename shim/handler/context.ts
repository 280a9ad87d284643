import type { ServerContext } from '@modelcontextprotocol/server';

import type { Attempt } from '../exchange/attempt.js';
import type { Need, NeedContext } from './need.js';

/** Adds `need` to the context of a 2025-era request, which needs no other change. */
export function pushContext(ctx: ServerContext, need: Need): NeedContext {
    return { ...ctx, ...need };
}

/**
 * The context of one attempt. Notifications and log messages are silent while the handler runs over old ground, where
 * the client has had them already, and never settle once the attempt has ended (DESIGN rules 13 and 14). The retry's
 * own material is hidden: it belongs to the engine.
 */
export function replayContext(ctx: ServerContext, need: Need, attempt: Attempt): NeedContext {
    const request = { ...ctx.mcpReq };
    delete request.inputResponses;
    delete request.droppedInputResponseKeys;
    const gate = (send: () => Promise<void>): Promise<void> => {
        if (attempt.ended) return new Promise(() => undefined);
        return attempt.replaying ? Promise.resolve() : send();
    };
    const context = {
        ...ctx,
        mcpReq: {
            ...request,
            requestState: () => undefined,
            notify: (...args: Parameters<typeof request.notify>) => gate(() => request.notify(...args)),
            log: (...args: Parameters<typeof request.log>) => gate(() => request.log(...args))
        }
    };
    return Object.defineProperties(context, Object.getOwnPropertyDescriptors(need)) as NeedContext;
}
