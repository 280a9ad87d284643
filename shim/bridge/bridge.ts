import type { Server, ServerContext } from '@modelcontextprotocol/server';

import { systemTiming } from '../exchange/timing.js';
import { createMrtrIn, onceEach } from '../handler/create-mrtr.js';
import type { Mrtr } from '../handler/create-mrtr.js';
import type { RunHandler } from '../handler/resumable.js';
import { Callers } from './callers.js';
import type { Caller, CallersOptions, Lease } from './callers.js';
import { createFronts } from './front.js';
import type { OpenLink } from './link/link.js';
import type { BridgeOptions, RequestOrigin } from './options.js';

const DEFAULT_SETTLE_MS = 25;
const DEFAULT_POOL = 8;
export const DEFAULT_MAX_CALLERS = 100;
export const DEFAULT_IDLE_SECONDS = 300;

/**
 * No code of an old server asks by the function `need`, so nothing has to find the handler by its async context: that
 * would cost each promise of a server in this process 24 bytes, and a call that waits has thirty of them.
 */
const plainly: RunHandler = (_need, _declared, run) => run();

/** What both entries are made of: the old servers by caller, and the servers that 2026-07-28 clients meet. */
export class Bridge {
    readonly #mrtr: Mrtr;
    readonly #callers: Callers;
    readonly #principal: BridgeOptions['principal'];
    readonly #makeFront: ReturnType<typeof createFronts>;
    readonly warn: (message: string) => void;

    /** @param changed called with what old servers say of their lists and resources. */
    constructor(open: OpenLink, options: BridgeOptions, changed: CallersOptions['changed']) {
        const { mode = 'auto', replaySafe = [], settleMs = DEFAULT_SETTLE_MS, keyFor } = options;
        this.warn = onceEach(options.warn ?? (message => process.emitWarning(message, 'McpMrtrWarning')));
        this.#principal = options.principal;
        const principal = (ctx: ServerContext): Promise<string | undefined> =>
            this.principal({ authInfo: ctx.http?.authInfo, request: ctx.http?.req });
        this.#mrtr = createMrtrIn(systemTiming, { ...options, principal, warn: this.warn }, plainly);
        this.#callers = new Callers({
            open,
            pool: options.pool ?? DEFAULT_POOL,
            shareAnonymous: options.anonymous === 'share',
            maxCallers: options.maxCallers ?? DEFAULT_MAX_CALLERS,
            idleMs: (options.idleSeconds ?? DEFAULT_IDLE_SECONDS) * 1000,
            notice: this.warn,
            changed
        });
        this.#makeFront = createFronts({
            mode,
            replaySafe: new Set(replaySafe),
            settleMs,
            keyFor,
            mrtr: this.#mrtr,
            principal,
            lease: caller => this.#callers.lease(caller)
        });
    }

    /** The name of who sends a request; `undefined` if nobody knows. */
    async principal(origin: RequestOrigin): Promise<string | undefined> {
        if (this.#principal !== undefined) return this.#principal(origin);
        const { authInfo } = origin;
        if (authInfo === undefined) return undefined;
        this.warn(
            `requests carry authInfo, but the bridge has no principal(origin): callers are told apart by the clientId, ` +
                `which names an application and not a person. Two users of one application share a server.`
        );
        return authInfo.clientId;
    }

    /** A server for one connection or one request of this caller. Starts an old server, if none is known. */
    async front(caller: Caller, request: globalThis.Request | undefined): Promise<Server> {
        const lease = this.#callers.lease(caller);
        try {
            const { profile, workers } = lease;
            profile.initialized ??= await workers.initialized({ authInfo: caller.authInfo, request });
            return this.#makeFront(profile.initialized);
        } finally {
            lease.release();
        }
    }

    lease(caller: Caller): Lease {
        return this.#callers.lease(caller);
    }

    /** Ends the calls that wait in memory, and all old servers. */
    async close(): Promise<void> {
        await this.#mrtr.close();
        await this.#callers.close();
    }
}
