import type { EmbeddedRequest } from '../exchange/question.js';
import { isRecord } from './json-rpc.js';
import type { RpcRequest } from './json-rpc.js';

/** What a server of 2025-11-25 may ask its client, by method. */
const ASKS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

export function isAsk(method: string): boolean {
    return ASKS.has(method);
}

/** The question without what only 2025-11-25 knows of it: ids of flows, tasks, tokens. */
export function embeddedAsk({ method, params = {} }: RpcRequest): EmbeddedRequest {
    if (method === 'roots/list') return { method };
    const { _meta: meta, task: _task, elicitationId: _flow, ...asked } = params;
    const rest = isRecord(meta)
        ? Object.entries(meta).filter(([name]) => name !== 'progressToken' && !name.endsWith('/related-task'))
        : [];
    return {
        method,
        params: {
            ...asked,
            ...(rest.length > 0 && { _meta: Object.fromEntries(rest) }),
            ...(method === 'elicitation/create' && { mode: asked['mode'] ?? 'form' })
        }
    };
}
