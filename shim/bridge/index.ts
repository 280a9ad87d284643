import { randomUUID } from 'node:crypto';
import type { McpRequestContext } from '@modelcontextprotocol/server';

import { HttpEntry } from './http-entry.js';
import type { HttpBridgeHandler, HttpBridgeOptions } from './http-entry.js';
import type { OpenLink } from './link/link.js';
import { MemoryLink } from './link/memory-link.js';
import type { ConnectableServer } from './link/memory-link.js';
import { StdioEntry } from './stdio-entry.js';
import type { StdioBridgeHandle, StdioBridgeOptions } from './stdio-entry.js';

/**
 * Makes an unmodified push-style server of SDK v1 (1.13 or later) or v2, not yet connected. Called for each caller, and
 * for each session of a 2025-era client; the context is that of the request which it is made for.
 */
export type OldServerFactory = (ctx: McpRequestContext) => ConnectableServer | Promise<ConnectableServer>;

/**
 * Serves an unmodified push-style server over HTTP to clients of both eras, where `createMcpHandler` serves a migrated
 * one:
 *
 * ```ts
 * const handler = bridgeHandler(() => buildServer(), { principal: ({ authInfo }) => authInfo?.extra?.userId });
 * ```
 *
 * Put the checks of Host and Origin before it, as before `createMcpHandler`.
 */
export function bridgeHandler(factory: OldServerFactory, options: HttpBridgeOptions = {}): HttpBridgeHandler {
    const entry = new HttpEntry(inMemory(factory), options);
    return { fetch: entry.fetch, close: () => entry.close() };
}

/** Serves an unmodified push-style server over stdio to clients of both eras, where `serveStdio` serves a migrated one. */
export function bridgeStdio(factory: OldServerFactory, options: StdioBridgeOptions = {}): StdioBridgeHandle {
    return new StdioEntry(inMemory(factory), options);
}

function inMemory(factory: OldServerFactory): OpenLink {
    return ({ authInfo, request }) => {
        const ctx = { era: 'legacy' as const, ...(authInfo && { authInfo }), ...(request && { requestInfo: request }) };
        return new MemoryLink(() => factory(ctx), request && randomUUID());
    };
}
