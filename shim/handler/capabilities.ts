import { MissingRequiredClientCapabilityError, SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import type { ClientCapabilities } from '@modelcontextprotocol/server';

import type { EmbeddedRequest } from '../exchange/question.js';
import { envelopeCapabilities } from './era.js';
import type { RequestContextLike } from './era.js';
import { declaredCapabilities } from './running.js';

/**
 * A server that may know the capabilities of its client: `McpServer`, low-level `Server`, of any copy of the SDK, or an
 * interface over one. Nothing, where a server is wired up later: then only the request can tell.
 */
export type CapabilitySource =
    | { getClientCapabilities?: (() => unknown) | undefined }
    | { readonly server: { getClientCapabilities?: (() => unknown) | undefined } }
    | null
    | undefined;

/** What a server says of its client, in the words of its own type: a project may have an interface for it. */
export type CapabilitiesOf<Source> =
    NonNullable<Source> extends
        { getClientCapabilities(): infer Own } | { readonly server: { getClientCapabilities(): infer Own } }
        ? NonNullable<Own>
        : ClientCapabilities;

/**
 * What the client of this request can do, on both eras: the request's own declaration on 2026-07-28, what the client
 * said at `initialize` before. `undefined` where nobody can be asked, as under a stateless 2025-era HTTP route.
 *
 * Replaces `server.getClientCapabilities()`, which does not know the request. `elicitation: {}` reads as
 * `{ form: {} }`, as it did there.
 *
 * @param ctx the context of the request; without one, the request of the resumable handler that is running.
 */
export function clientCapabilities<Source extends CapabilitySource>(
    ctx: RequestContextLike | undefined,
    server: Source
): CapabilitiesOf<Source> | undefined;
export function clientCapabilities(ctx: RequestContextLike | undefined, server: CapabilitySource): unknown {
    const declared = ctx === undefined ? declaredCapabilities() : envelopeCapabilities(ctx);
    if (declared !== undefined) return withImpliedForm(declared);
    if (server === null || server === undefined) return undefined;
    const source = 'server' in server ? server.server : server;
    return source.getClientCapabilities?.() ?? undefined;
}

/**
 * Why this request cannot be put to a client with these capabilities: the error, word for word, which the push API
 * raised, because old code has a `catch` for it (DESIGN rule 17). `undefined` if it can.
 */
export function missingCapability(
    request: EmbeddedRequest,
    declared: ClientCapabilities | undefined
): SdkError | undefined {
    const capabilities = withImpliedForm(declared ?? {});
    switch (request.method) {
        case 'elicitation/create': {
            const mode = request.params?.['mode'] === 'url' ? 'url' : 'form';
            return capabilities.elicitation?.[mode]
                ? undefined
                : unsupported(`Client does not support ${mode} elicitation.`);
        }
        case 'sampling/createMessage': {
            if (usesTools(request)) {
                const message = 'Client does not support sampling tools capability.';
                return capabilities.sampling?.tools ? undefined : unsupported(message);
            }
            const message = `Client does not support sampling (required for ${request.method})`;
            return capabilities.sampling ? undefined : unsupported(message);
        }
        default: {
            const message = `Client does not support listing roots (required for ${request.method})`;
            return capabilities.roots ? undefined : unsupported(message);
        }
    }
}

/**
 * What the client is told if a handler lets {@link missingCapability} escape: -32021, which the SDK answers on HTTP
 * with status 400, in the words of its own check.
 */
export function unmetRequirement(key: string, request: EmbeddedRequest): MissingRequiredClientCapabilityError {
    return new MissingRequiredClientCapabilityError(
        { requiredCapabilities: requiredCapabilities(request) },
        `Cannot request input '${key}' (${request.method}): the request's client capabilities do not declare the ` +
            `required capability`
    );
}

function requiredCapabilities(request: EmbeddedRequest): ClientCapabilities {
    switch (request.method) {
        case 'elicitation/create':
            return { elicitation: request.params?.['mode'] === 'url' ? { url: {} } : { form: {} } };
        case 'sampling/createMessage':
            return { sampling: usesTools(request) ? { tools: {} } : {} };
        default:
            return { roots: {} };
    }
}

/** Whether a sampling request lets the model call tools. */
export function usesTools(request: EmbeddedRequest): boolean {
    return Boolean(request.params?.['tools']) || Boolean(request.params?.['toolChoice']);
}

/** Before elicitation had modes, an empty declaration meant forms. */
export function withImpliedForm(declared: ClientCapabilities): ClientCapabilities {
    const { elicitation } = declared;
    if (elicitation === undefined || elicitation.form !== undefined || elicitation.url !== undefined) return declared;
    return { ...declared, elicitation: { form: {} } };
}

function unsupported(message: string): SdkError {
    return new SdkError(SdkErrorCode.CapabilityNotSupported, message);
}
