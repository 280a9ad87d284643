import type { LowLevelServer, RequestHandler } from './attach.js';
import type { AskingMethod } from './era.js';

/** Where an `McpServer` keeps what was registered with it. */
const REGISTRIES: Readonly<Record<AskingMethod, readonly string[]>> = {
    'tools/call': ['_registeredTools'],
    'prompts/get': ['_registeredPrompts'],
    'resources/read': ['_registeredResources', '_registeredResourceTemplates']
};

/**
 * `new McpServer(info, { capabilities: { tools: {} } })` has handlers before anybody could attach it. As long as
 * nothing is registered with it, nothing has passed by the seam, and the handlers can be put under it where they are.
 *
 * The SDK has no public way to reach them: the names are those of 2.x, and a server that has others is not touched.
 *
 * @returns the handlers of the server by method; `undefined` if this is no such server, or too late.
 */
export function eagerHandlers(
    server: object,
    low: LowLevelServer,
    method: AskingMethod
): Map<string, RequestHandler> | undefined {
    const members = server as Record<string, unknown>;
    const { _requestHandlers: handlers } = low as { _requestHandlers?: unknown };
    if (!(handlers instanceof Map) || !REGISTRIES[method].every(name => isEmpty(members[name]))) return undefined;
    return handlers as Map<string, RequestHandler>;
}

function isEmpty(registry: unknown): boolean {
    return typeof registry === 'object' && registry !== null && Object.keys(registry).length === 0;
}
