import type { AuthInfo } from '@modelcontextprotocol/server';

import type { MrtrOptions } from '../handler/options.js';
import type { KeyFor } from './relay.js';

/** Where a request comes from. */
export interface RequestOrigin {
    readonly authInfo?: AuthInfo | undefined;
    /** The HTTP request; absent on stdio. */
    readonly request?: globalThis.Request | undefined;
}

/** How an unmodified server is served on 2026-07-28. What is not here is as in `createMrtr`. */
export interface BridgeOptions extends Omit<MrtrOptions, 'principal' | 'serverName' | 'acceptUnasked'> {
    /**
     * `auto`: a call waits in memory for its client; if the process that holds it is gone, it runs again from the top if
     * that is known to be harmless, and else the client is told to call again.
     *
     * `park`: the same, and no call ever runs again.
     *
     * `replay`: a call runs again from the top with every answer, in whatever process the client comes to. For servers
     * whose tools have no effects before they ask.
     *
     * @default 'auto'
     */
    readonly mode?: 'park' | 'auto' | 'replay' | undefined;
    /** Tools that mode `auto` may run again beside those annotated with `readOnlyHint` or `idempotentHint`. */
    readonly replaySafe?: readonly string[] | undefined;
    /** How long to wait for further asks before the open ones are sent, in milliseconds. @default 25 */
    readonly settleMs?: number | undefined;
    /** Names a question for the client. @default its kind and a digest of it */
    readonly keyFor?: KeyFor | undefined;
    /**
     * Who sends a request, as a stable name of the person. Each has servers of their own, and no use of another's state.
     *
     * @default the `clientId` of `authInfo`, which names an application and not a person
     */
    readonly principal?: ((origin: RequestOrigin) => string | undefined | Promise<string | undefined>) | undefined;
    /**
     * What callers without a principal get: each request a server of its own, or all the same one, which then may show
     * the roots and the session of one to another. On stdio there is one caller, and one server.
     *
     * @default 'isolate'
     */
    readonly anonymous?: 'isolate' | 'share' | undefined;
    /** How many servers one caller may have where each can serve one call at a time. @default 8 */
    readonly pool?: number | undefined;
    /** How many callers may have servers at the same time; the one that has been idle for longest makes room. @default 100 */
    readonly maxCallers?: number | undefined;
    /** How long a server may be without a call before it is closed, in seconds. @default 300 */
    readonly idleSeconds?: number | undefined;
    /** Receives what an operator should read, each once. @default process.emitWarning, with the type `McpMrtrWarning` */
    readonly warn?: ((message: string) => void) | undefined;
}
