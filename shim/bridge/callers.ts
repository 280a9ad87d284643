import type { AuthInfo, ClientCapabilities, Implementation } from '@modelcontextprotocol/server';

import { canonicalJson } from '../exchange/canonical.js';
import { capabilitySetOf } from './capability-set.js';
import type { ClientFacts, Initialized, Params, RpcNotification } from './json-rpc.js';
import type { OpenLink } from './link/link.js';
import { Workers } from './workers.js';
import { isRecord } from './json-rpc.js';

/** Who sends a request, and with what capabilities. */
export interface Caller {
    /** `undefined`: nobody knows. */
    readonly principal: string | undefined;
    readonly authInfo?: AuthInfo | undefined;
    readonly capabilities: ClientCapabilities | undefined;
    readonly clientInfo: Implementation | undefined;
}

export interface CallersOptions {
    readonly open: OpenLink;
    readonly pool: number;
    /** Whether callers whom nobody knows share their old servers, or get one for each request. */
    readonly shareAnonymous: boolean;
    /** How many callers may have old servers at the same time. */
    readonly maxCallers: number;
    /** How long an old server may be without a call before it is closed, in milliseconds. */
    readonly idleMs: number;
    readonly notice: (text: string) => void;
    /** @param principal whose old server has sent it. */
    readonly changed: (notification: RpcNotification, principal: string | undefined) => void;
}

/** What is known of the old servers of one caller. It outlives them. */
export class Profile {
    initialized: Initialized | undefined;
    #safeTools: Map<string, boolean> | undefined;

    /** Whether the tool may run again (DESIGN rule 10); `undefined` if no list of the tools has been seen. */
    isSafe(tool: string): boolean | undefined {
        return this.#safeTools && (this.#safeTools.get(tool) ?? false);
    }

    /** Learns from one page of `tools/list`. */
    learn({ tools }: Params): void {
        if (!Array.isArray(tools)) return;
        this.#safeTools ??= new Map();
        for (const tool of tools as unknown[]) {
            if (!isRecord(tool) || typeof tool['name'] !== 'string') continue;
            const hints = isRecord(tool['annotations']) ? tool['annotations'] : {};
            this.#safeTools.set(tool['name'], hints['readOnlyHint'] === true || hints['idempotentHint'] === true);
        }
    }

    forgetTools(): void {
        this.#safeTools = undefined;
    }
}

/** The use of a caller's old servers; they are not closed while it lasts. */
export interface Lease {
    readonly workers: Workers;
    readonly profile: Profile;
    release(): void;
}

interface Entry {
    readonly workers: Workers;
    leases: number;
    usedAt: number;
}

/** How often is looked for old servers that nobody uses, in milliseconds. */
const SWEEP_MS = 10_000;

/** What clients that do not name themselves are called towards old servers. */
const UNNAMED: Implementation = { name: 'unknown', version: '0' };

/**
 * Old servers by caller. An old server reads the capabilities of its client once, at `initialize`, and keeps what it
 * learns of it, roots for example: so there is one for each (principal, capability set), and two principals never share
 * one (DESIGN rule 22).
 */
export class Callers {
    readonly #options: CallersOptions;
    /** The one that was used last comes last. */
    readonly #entries = new Map<string, Entry>();
    readonly #profiles = new Map<string, Profile>();
    readonly #isolated = new Set<Workers>();
    #sweep: NodeJS.Timeout | undefined;

    constructor(options: CallersOptions) {
        this.#options = options;
    }

    lease(caller: Caller): Lease {
        const { key, capabilities } = keyOf(caller);
        const profile = this.#profile(key);
        const client: ClientFacts = { capabilities, clientInfo: caller.clientInfo ?? UNNAMED };
        if (caller.principal === undefined && !this.#options.shareAnonymous) return this.#isolate(client, profile);
        const entry = this.#entries.get(key) ?? {
            workers: this.#workers(client, caller, profile),
            leases: 0,
            usedAt: 0
        };
        this.#entries.delete(key);
        this.#entries.set(key, entry);
        entry.leases++;
        this.#makeRoom();
        this.#watch();
        let released = false;
        const release = (): void => {
            if (released) return;
            released = true;
            entry.leases--;
            entry.usedAt = Date.now();
        };
        return { workers: entry.workers, profile, release };
    }

    async close(): Promise<void> {
        clearInterval(this.#sweep);
        const all = [...[...this.#entries.values()].map(({ workers }) => workers), ...this.#isolated];
        this.#entries.clear();
        await Promise.all(all.map(workers => workers.close()));
    }

    #isolate(client: ClientFacts, profile: Profile): Lease {
        const workers = this.#workers(client, { principal: undefined }, profile);
        this.#isolated.add(workers);
        const release = (): void => {
            if (this.#isolated.delete(workers)) void workers.close();
        };
        return { workers, profile, release };
    }

    #workers(client: ClientFacts, { principal }: Pick<Caller, 'principal'>, profile: Profile): Workers {
        const { open, pool, notice, changed } = this.#options;
        return new Workers(client, {
            open,
            pool,
            notice,
            changed: notification => {
                if (notification.method === 'notifications/tools/list_changed') profile.forgetTools();
                changed(notification, principal);
            }
        });
    }

    #profile(key: string): Profile {
        const profile = this.#profiles.get(key) ?? new Profile();
        this.#profiles.delete(key);
        this.#profiles.set(key, profile);
        const [oldest] = this.#profiles.keys();
        if (this.#profiles.size > this.#options.maxCallers && oldest !== undefined) this.#profiles.delete(oldest);
        return profile;
    }

    /** The one that has been idle for longest goes; those that have a call stay, and may be more than there should be. */
    #makeRoom(): void {
        for (const [key, entry] of this.#entries) {
            if (this.#entries.size <= this.#options.maxCallers) return;
            if (entry.leases === 0) this.#drop(key, entry);
        }
    }

    #watch(): void {
        this.#sweep ??= setInterval(
            () => {
                const before = Date.now() - this.#options.idleMs;
                for (const [key, entry] of this.#entries) {
                    if (entry.leases === 0 && entry.usedAt < before) this.#drop(key, entry);
                }
            },
            Math.min(SWEEP_MS, this.#options.idleMs)
        ).unref();
    }

    #drop(key: string, entry: Entry): void {
        this.#entries.delete(key);
        void entry.workers.close();
    }
}

function keyOf({ principal, capabilities }: Caller): { key: string; capabilities: ClientCapabilities } {
    const set = capabilitySetOf(capabilities);
    return { key: canonicalJson([principal ?? null, set.key]), capabilities: set.capabilities };
}
