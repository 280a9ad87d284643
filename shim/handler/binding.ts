import type { ServerContext } from '@modelcontextprotocol/server';

import { canonicalJson } from '../exchange/canonical.js';
import type { Binding } from '../state/sealer.js';
import type { AskingMethod } from './era.js';
import type { SeamRequest } from './attach.js';
import { shortDigest } from './digest.js';
import type { MrtrOptions } from './options.js';

type PrincipalOptions = Pick<MrtrOptions, 'principal' | 'serverName'>;

const NOUNS: Readonly<Record<AskingMethod, string>> = {
    'tools/call': 'Tool',
    'prompts/get': 'Prompt',
    'resources/read': 'Resource'
};

/** Name of the tool or prompt, or URI of the resource. */
export function targetOf({ method, params }: SeamRequest): string {
    const target = method === 'resources/read' ? params['uri'] : params['name'];
    return typeof target === 'string' ? target : '';
}

/** What messages call the handler of a request: `Tool 'refund'`. */
export function handlerLabel(request: SeamRequest): string {
    return `${NOUNS[request.method]} '${targetOf(request)}'`;
}

/** What a state of this request belongs to (basic/patterns/mrtr, "Server Requirements", 5). */
export async function bindingOf(
    request: SeamRequest,
    options: PrincipalOptions,
    warn: (message: string) => void
): Promise<Binding> {
    return {
        server: options.serverName ?? serverNameOf(request.server),
        principal: await principalOf(request.ctx, options, warn),
        method: request.method,
        target: targetOf(request),
        argumentsDigest: shortDigest(canonicalJson(request.params['arguments']))
    };
}

/**
 * The name in the server's `serverInfo`. The SDK has no public way to read it.
 *
 * @throws TypeError if it is not where 2.x keeps it.
 */
export function serverNameOf(server: object): string {
    const info = (server as { _serverInfo?: { name?: unknown } })._serverInfo;
    if (typeof info?.name === 'string') return info.name;
    throw new TypeError('Cannot read the name of this server: give createMrtr a serverName');
}

async function principalOf(
    ctx: ServerContext,
    { principal }: PrincipalOptions,
    warn: (message: string) => void
): Promise<string | null> {
    if (principal !== undefined) return (await principal(ctx)) ?? null;
    const authInfo = ctx.http?.authInfo;
    if (authInfo === undefined) return null;
    warn(
        `requests carry authInfo, but createMrtr has no principal(ctx). States are bound to the clientId, which names ` +
            `an application and not a person: another user of the same application could present them.`
    );
    return authInfo.clientId;
}
