import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import type {
    CreateMessageRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    RequestOptions,
    ServerContext
} from '@modelcontextprotocol/server';

import { askDetails } from './ask.js';
import type { Ask } from './ask.js';
import { readContent } from './content.js';
import { createDirectNeed } from './direct-need.js';
import { isSessionlessHttp } from './era.js';
import type { Need } from './need.js';

/**
 * `ctx.need` on a 2025-era connection: the real request goes out beside the call, and the handler runs once.
 *
 * @param timeoutMs how long the user may think; the SDK's own 60 seconds would cut short a slow human.
 */
export function createPushNeed(ctx: ServerContext, timeoutMs: number): Need {
    return createDirectNeed(async (key, ask) => {
        if (isSessionlessHttp(ctx)) throw unreachableClient(key, ask);
        return push(ctx, ask, { relatedRequestId: ctx.mcpReq.id, timeout: timeoutMs, signal: ctx.mcpReq.signal });
    });
}

async function push(ctx: ServerContext, ask: Ask<unknown>, options: RequestOptions): Promise<unknown> {
    switch (ask.method) {
        case 'elicitation/create': {
            const { schema } = askDetails(ask);
            const result = await ctx.mcpReq.elicitInput(elicitParams(ask), options);
            return schema === undefined ? result : readContent(result, schema);
        }
        case 'sampling/createMessage':
            return ctx.mcpReq.requestSampling(ask.params as CreateMessageRequest['params'], options);
        case 'roots/list':
            return ctx.mcpReq.send({ method: 'roots/list', ...(ask.params && { params: { ...ask.params } }) }, options);
    }
}

/** In 2025-11-25 a URL elicitation must have an id; where the author gave none, nobody refers to it. */
function elicitParams(ask: Ask<unknown>): ElicitRequestFormParams | ElicitRequestURLParams {
    const params = ask.params as ElicitRequestFormParams | Omit<ElicitRequestURLParams, 'elicitationId'>;
    if (params.mode !== 'url') return params;
    return { ...params, elicitationId: askDetails(ask).elicitationId ?? crypto.randomUUID() };
}

/** Word for word what the SDK says when its own legacy shim finds nobody to ask. */
function unreachableClient(key: string, ask: Ask<unknown>): SdkError {
    return new SdkError(
        SdkErrorCode.CapabilityNotSupported,
        `Cannot request input '${key}' (${ask.method}): the client on this 2025-era connection did not declare the ` +
            `required capability (no client capabilities are available on this connection — per-request legacy ` +
            `serving cannot receive server-to-client requests)`
    );
}
