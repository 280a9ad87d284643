import { CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { ClientCapabilities, ServerContext } from '@modelcontextprotocol/server';

/** The part of a handler's context that says which protocol its request speaks. */
export interface RequestContextLike {
    readonly mcpReq: { readonly envelope?: Readonly<Record<string, unknown>> | undefined };
}

/** First revision without requests from server to client. Revisions are dates, so they compare as text. */
const FIRST_MULTI_ROUND_TRIP_REVISION = '2026-07-28';

/** The only requests that may be answered with `input_required` (basic/patterns/mrtr, "Supported Requests"). */
export const ASKING_METHODS = ['tools/call', 'prompts/get', 'resources/read'] as const;

export type AskingMethod = (typeof ASKING_METHODS)[number];

export function isAskingMethod(method: string): method is AskingMethod {
    return (ASKING_METHODS as readonly string[]).includes(method);
}

/** Whether the request speaks 2026-07-28 or later: from then on every request names its revision. */
export function isMultiRoundTrip(ctx: RequestContextLike): boolean {
    return isMultiRoundTripRevision(ctx.mcpReq.envelope?.[PROTOCOL_VERSION_META_KEY]);
}

/** Whether this names a revision without requests from server to client. */
export function isMultiRoundTripRevision(revision: unknown): boolean {
    return typeof revision === 'string' && revision >= FIRST_MULTI_ROUND_TRIP_REVISION;
}

/** The capabilities that a 2026-07-28 request declares, if it is one. */
export function envelopeCapabilities(ctx: RequestContextLike): ClientCapabilities | undefined {
    if (!isMultiRoundTrip(ctx)) return undefined;
    const declared = ctx.mcpReq.envelope?.[CLIENT_CAPABILITIES_META_KEY];
    return typeof declared === 'object' && declared !== null ? declared : {};
}

/** Whether a 2025-era request came over HTTP without a session: a request to its client would never be answered. */
export function isSessionlessHttp(ctx: Pick<ServerContext, 'http' | 'sessionId'>): boolean {
    return ctx.http !== undefined && ctx.sessionId === undefined;
}
