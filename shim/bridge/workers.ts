import { randomInt } from 'node:crypto';

import type { Call, CallContent } from './call.js';
import { BridgeError } from './errors.js';
import type { ClientFacts, Initialized, Params, RpcNotification } from './json-rpc.js';
import type { OpenLink, RequestFacts } from './link/link.js';
import { OldServer } from './old-server.js';
import { asError, delay, inTime } from './waiting.js';

export interface WorkersOptions {
    readonly open: OpenLink;
    /** How many old servers there may be, where each can have one call at a time. */
    readonly pool: number;
    /** A `list_changed` of any kind, or `resources/updated`. */
    readonly changed: (notification: RpcNotification) => void;
    readonly notice: (text: string) => void;
}

/** How long a call waits for a server when all are busy, in milliseconds. */
const BUSY_MS = 30_000;

/** An old server that ends sooner than this after its start has failed to serve, in milliseconds. */
const SHORT_LIFE_MS = 5000;

/** Pauses before the next start, after the first failure in a row, the second, and so on. In milliseconds. */
const BACK_OFF_MS = [0, 250, 500, 1000, 2000, 4000, 8000];

/** First ids are random and below 2^30, so that none reaches 2^31 in the life of a process. */
const FIRST_IDS = 2 ** 30;

/**
 * The old servers of one client: one, where it can tell its calls apart, and else as many as there are calls at the
 * same time, up to `pool` (DESIGN rule 21). A call is given to the first that is free, so that calls one after the
 * other meet the same server with what it remembers.
 */
export class Workers {
    readonly #options: WorkersOptions;
    readonly #client: ClientFacts;
    /** With the number of calls that each of them has, waiting for their client included. */
    readonly #calls = new Map<OldServer, number>();
    readonly #serving = new Map<Call, OldServer>();
    readonly #waiting: (() => void)[] = [];
    readonly #told = new Map<string, [method: string, params: Params]>();
    #starting: Promise<OldServer> | undefined;
    #initialized: Initialized | undefined;
    #failures = 0;
    #failedAt = 0;
    #closed = false;

    constructor(client: ClientFacts, options: WorkersOptions) {
        this.#client = client;
        this.#options = options;
    }

    /** What the servers say of themselves. Starts one, if none has been started yet. */
    async initialized(facts: RequestFacts): Promise<Initialized> {
        return this.#initialized ?? (await this.#any(facts)).initialized;
    }

    /** @throws BridgeError, OldServerError */
    async request(
        method: string,
        params: Params | undefined,
        signal: AbortSignal,
        facts: RequestFacts
    ): Promise<Params> {
        const server = await this.#any(facts);
        return server.request(method, params, signal, facts);
    }

    /**
     * Tells all servers something that they keep, those too that are started later. What they answer does not matter: a
     * server that refuses to be subscribed to says nothing of its resource either.
     *
     * @param key names what is told; telling it again replaces it.
     */
    tell(key: string, method: string, params: Params): void {
        this.#told.set(key, [method, params]);
        for (const server of this.#usable()) server.request(method, params).catch(() => undefined);
    }

    told(key: string): Params | undefined {
        return this.#told.get(key)?.[1];
    }

    /** Takes back what was told, by a request that does so. */
    untell(key: string, method: string, params: Params): void {
        if (!this.#told.delete(key)) return;
        for (const server of this.#usable()) server.request(method, params).catch(() => undefined);
    }

    /** Brings a call to an old server. It receives the result, or a BridgeError or OldServerError. */
    call(call: Call, content: CallContent): void {
        const serve = (server: OldServer): void => {
            this.#serving.set(call, server);
            server.call(call, content);
        };
        this.#free(call, content.facts)
            .then(serve)
            .catch((error: unknown) => call.reject(asError(error)));
    }

    /** The client does not want the result any more. */
    cancel(call: Call, reason: Error): void {
        this.#serving.get(call)?.cancel(call, reason);
    }

    /** The call is given up, and its asks will not be answered. */
    abandon(call: Call): void {
        this.#serving.get(call)?.abandon(call);
        this.release(call);
    }

    /** The call is over. */
    release(call: Call): void {
        const server = this.#serving.get(call);
        if (server === undefined) return;
        this.#serving.delete(call);
        const left = (this.#calls.get(server) ?? 1) - 1;
        if (this.#calls.has(server)) this.#calls.set(server, left);
        // It has nothing to finish any more, and takes nothing new.
        if (server.ended && left === 0) {
            this.#calls.delete(server);
            void server.close();
        }
        this.#waiting.shift()?.();
    }

    async close(): Promise<void> {
        this.#closed = true;
        this.#wakeAll();
        const starting = this.#starting?.then(server => server.close()).catch(() => undefined);
        await Promise.all([starting, ...[...this.#calls.keys()].map(server => server.close())]);
    }

    async #any(facts: RequestFacts): Promise<OldServer> {
        // One that is free answers at once; some serve nothing else while they wait for an answer.
        const running = this.#usable();
        const server = running.find(other => other.shared || this.#calls.get(other) === 0) ?? running[0];
        return server ?? (await (this.#starting ?? this.#start(facts)));
    }

    /** A server with a place for one more call, which is taken. */
    async #free(call: Call, facts: RequestFacts): Promise<OldServer> {
        for (;;) {
            if (this.#closed) throw closed();
            if (call.cancelled !== undefined) {
                // The turn that it may have got is the next one's.
                this.#waiting.shift()?.();
                throw call.cancelled;
            }
            const free = this.#usable().find(server => server.shared || this.#calls.get(server) === 0);
            if (free !== undefined) {
                this.#calls.set(free, (this.#calls.get(free) ?? 0) + 1);
                return free;
            }
            if (this.#starting === undefined && this.#usable().length >= this.#options.pool) await this.#turn();
            // Whoever waits for a server that another call has started fails with it: one attempt is enough.
            else await (this.#starting ?? this.#start(facts));
        }
    }

    #turn(): Promise<void> {
        let wake: (() => void) | undefined;
        const turn = new Promise<void>(resolve => this.#waiting.push((wake = resolve)));
        return inTime(turn, BUSY_MS, () => {
            const place = this.#waiting.findIndex(waiting => waiting === wake);
            if (place >= 0) this.#waiting.splice(place, 1);
            const { pool } = this.#options;
            return new BridgeError(
                'busy',
                `All ${pool} servers have a call that waits, also for its client. Call again later, or allow more (pool).`
            );
        });
    }

    #usable(): OldServer[] {
        return [...this.#calls.keys()].filter(server => !server.ended);
    }

    async #start(facts: RequestFacts): Promise<OldServer> {
        this.#starting = this.#startLater(facts);
        try {
            return await this.#starting;
        } finally {
            this.#starting = undefined;
        }
    }

    async #startLater(facts: RequestFacts): Promise<OldServer> {
        const pause = BACK_OFF_MS[Math.min(this.#failures, BACK_OFF_MS.length - 1)] ?? 0;
        const left = this.#failedAt + pause - Date.now();
        if (left > 0) await delay(left);
        if (this.#closed) throw closed();
        const firstId = randomInt(FIRST_IDS);
        const startedAt = Date.now();
        const { changed, notice, open } = this.#options;
        let server: OldServer | undefined;
        const gone = (how: string): void => {
            if (server !== undefined) this.#lose(server, startedAt, how);
        };
        try {
            server = await OldServer.connect(
                open(facts, firstId),
                this.#client,
                { changed, notice, closed: gone },
                firstId
            );
        } catch (error) {
            this.#fail();
            notice(asError(error).message);
            throw error;
        }
        this.#initialized = server.initialized;
        this.#calls.set(server, 0);
        for (const [method, params] of this.#told.values()) server.request(method, params).catch(() => undefined);
        return server;
    }

    #lose(server: OldServer, startedAt: number, how: string): void {
        this.#calls.delete(server);
        if (!this.#closed) {
            if (Date.now() - startedAt < SHORT_LIFE_MS) this.#fail();
            else this.#failures = 0;
            this.#options.notice(`The server ${how}. It is started again when it is needed.`);
        }
        this.#wakeAll();
    }

    #fail(): void {
        this.#failures++;
        this.#failedAt = Date.now();
    }

    #wakeAll(): void {
        for (const wake of this.#waiting.splice(0)) wake();
    }
}

function closed(): BridgeError {
    return new BridgeError('closed', 'The server is shutting down. Call again later.');
}
