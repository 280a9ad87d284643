import { inputRequired } from '@modelcontextprotocol/server';
import type {
    CreateMessageRequest,
    CreateMessageRequestParamsBase,
    CreateMessageRequestParamsWithTools,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    ListRootsRequest,
    ListRootsResult,
    StandardSchemaV1,
    StandardSchemaWithJSON
} from '@modelcontextprotocol/server';

import { createAsk } from './ask.js';
import type { Ask, ContentSchema } from './ask.js';

export interface ElicitOptions {
    /**
     * Stands for `message` when an answer is matched to its question. Give it where the wording may change between
     * attempts (a clock, a counter) while the question stays the same. Everything else of the request still counts.
     */
    readonly identity?: string;
}

/** An {@link ElicitResult} whose accepted content has been read by a schema. */
export type TypedElicitResult<Content> =
    | (Omit<ElicitResult, 'action' | 'content'> & { action: 'accept'; content: Content })
    | (Omit<ElicitResult, 'action' | 'content'> & { action: 'decline' | 'cancel'; content?: undefined });

/** Parameters of a form whose schema is a Standard Schema, as a zod object. */
export type TypedFormParams<Schema extends StandardSchemaWithJSON> = Omit<
    ElicitRequestFormParams,
    'requestedSchema'
> & {
    requestedSchema: Schema;
};

/**
 * Asks the user to fill in a form, or to visit a URL: takes what `elicitInput` took, and answers what it returned.
 *
 * With a Standard Schema as `requestedSchema` the accepted content is read by it, and typed. An `elicitationId` is
 * kept for 2025-era connections; revision 2026-07-28 does not know it.
 *
 * @throws TypeError if a Standard Schema describes more than the flat properties a form can have.
 */
export function elicit<Schema extends StandardSchemaWithJSON>(
    params: TypedFormParams<Schema>,
    options?: ElicitOptions
): Ask<TypedElicitResult<StandardSchemaV1.InferOutput<Schema>>>;
export function elicit(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options?: ElicitOptions
): Ask<ElicitResult>;
export function elicit(
    params: ElicitRequestFormParams | ElicitRequestURLParams | TypedFormParams<StandardSchemaWithJSON>,
    options: ElicitOptions = {}
): Ask<ElicitResult> {
    if (params.mode === 'url') return elicitUrl(params, options);
    const form = params;
    const { identity } = options;
    if (!isContentSchema(form.requestedSchema)) {
        return createAsk('elicitation/create', { ...form, mode: 'form' }, { identity });
    }
    const { params: wire } = inputRequired.elicit(form);
    return createAsk('elicitation/create', wire, { identity, schema: form.requestedSchema });
}

/** Parameters of a URL elicitation; `elicitationId` is optional, for revision 2026-07-28 has none. */
export type ElicitUrlParams = Omit<ElicitRequestURLParams, 'mode' | 'elicitationId'> & {
    mode?: 'url';
    elicitationId?: string;
};

/** Asks the user to visit a URL. Answers with the consent only: what happens there is the server's own affair. */
export function elicitUrl(params: ElicitUrlParams, options: ElicitOptions = {}): Ask<ElicitResult> {
    const { elicitationId, ...wire } = params;
    return createAsk('elicitation/create', { ...wire, mode: 'url' }, { identity: options.identity, elicitationId });
}

/** Asks the client for a completion by its model: takes what `createMessage` took, and answers what it returned. */
export function sample(params: CreateMessageRequestParamsBase): Ask<CreateMessageResult>;
export function sample(params: CreateMessageRequestParamsWithTools): Ask<CreateMessageResultWithTools>;
export function sample(params: CreateMessageRequest['params']): Ask<CreateMessageResult | CreateMessageResultWithTools>;
export function sample(
    params: CreateMessageRequest['params']
): Ask<CreateMessageResult | CreateMessageResultWithTools> {
    return createAsk('sampling/createMessage', params);
}

/** Asks the client for its roots. */
export function listRoots(params?: ListRootsRequest['params']): Ask<ListRootsResult> {
    return createAsk('roots/list', params);
}

function isContentSchema(schema: unknown): schema is StandardSchemaWithJSON & ContentSchema {
    return (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema;
}
