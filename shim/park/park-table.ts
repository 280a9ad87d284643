import type { Timing } from '../exchange/timing.js';
import { encodeBase64Url } from '../state/base64url.js';
import type { LostFrame } from './errors.js';
import type { FrameToken } from './frame-token.js';
import type { Frame } from './frame.js';
import { ParkedFlow } from './parked-flow.js';

export interface ParkLimits {
    /** How many frames may wait at the same time. */
    readonly maxParked: number;
    /** How many of them may belong to one principal; callers without one share the table. */
    readonly maxParkedPerPrincipal: number;
    /** How long the client may take for one round, in milliseconds. */
    readonly ttlMs: number;
    /** How long a flow may take from its first round to its last, in milliseconds. */
    readonly flowTtlMs: number;
}

/** What becomes of a retry: it runs its frame on, gets the answer of an equal one, or its frame is lost. */
export type Retry =
    | { readonly kind: 'answer'; readonly answer: Promise<unknown> }
    | { readonly kind: 'lost'; readonly reason: LostFrame };

/** A retry, as far as the table has to know it. */
export interface RetryRequest {
    readonly token: FrameToken;
    /** Digest of what the client answers: a duplicate with other answers is none. */
    readonly answersDigest: string;
    readonly signal: AbortSignal;
    /** Runs the frame on, and resolves or rejects with the answer to the request. */
    readonly run: (frame: Frame) => Promise<unknown>;
}

/** How long the result of a finished round is kept for a client that did not get it, in milliseconds. */
const KEEP_RESULT_MS = 60_000;

/** How long {@link ParkTable.close} waits for handlers that clean up, in milliseconds. */
const DRAIN_MS = 1000;

/** 72 bits: two instances of a server never have the same. */
const INSTANCE_BYTES = 9;

/**
 * The frames that wait in this process for the next request of their client. It belongs to the instance that
 * `createMrtr` makes, and outlives the servers that the SDK makes per request (DESIGN rule 11).
 */
export class ParkTable {
    readonly instance = encodeBase64Url(crypto.getRandomValues(new Uint8Array(INSTANCE_BYTES)));
    readonly #limits: ParkLimits;
    readonly #timing: Timing;
    /** By flow, the one that has waited longest first. */
    readonly #parked = new Map<string, ParkedFlow>();
    readonly #byPrincipal = new Map<string, Set<ParkedFlow>>();
    /** Flows that are over, for retries that come late. */
    readonly #finished = new Map<string, ParkedFlow>();
    #closed = false;

    constructor(limits: ParkLimits, timing: Timing) {
        this.#limits = limits;
        this.#timing = timing;
    }

    /** How many frames are in memory. */
    get size(): number {
        return this.#parked.size;
    }

    /**
     * Leaves a frame that has sent its round in the table.
     *
     * @param startedAt when the flow sent its first round, in milliseconds.
     * @returns whether it was taken: a table that is closed lets go of it.
     */
    rest(
        frame: Frame,
        token: Pick<FrameToken, 'flow' | 'round'>,
        principal: string | null,
        startedAt: number
    ): boolean {
        if (this.#closed || frame.attempt.ended) {
            this.refuse(frame);
            return false;
        }
        const known = this.#parked.get(token.flow);
        // Two equal retries that each began a run of the handler: the state of either names the one that is kept.
        if (known !== undefined && known.frame !== frame) void this.#expire(known);
        const flow = known?.frame === frame ? known : new ParkedFlow(token.flow, principal, frame, this.#timing);
        this.#remove(flow);
        this.#add(flow);
        const left = startedAt + this.#limits.flowTtlMs - this.#timing.now();
        flow.rest(token.round, Math.min(this.#limits.ttlMs, left), () => void this.#expire(flow));
        this.#makeRoom(flow);
        return true;
    }

    /** A frame that no request can come back to: its handler cleans up. */
    refuse(frame: Frame): void {
        void frame.expire(this.#limits.ttlMs);
    }

    retry(request: RetryRequest): Retry {
        const { token, answersDigest, signal, run } = request;
        if (token.instance !== this.instance) {
            // The call has gone on there: a frame of it that waits here is of an older state.
            const older = this.#parked.get(token.flow);
            if (older?.resting === true) void this.#expire(older);
            return { kind: 'lost', reason: 'other_instance' };
        }
        const flow = this.#parked.get(token.flow) ?? this.#finished.get(token.flow);
        if (flow === undefined) return { kind: 'lost', reason: 'frame_gone' };
        const duplicate = flow.duplicate(token.round, answersDigest, signal);
        if (duplicate !== undefined) return { kind: 'answer', answer: duplicate };
        const { frame } = flow;
        if (frame === undefined || !flow.waitsFor(token.round)) return { kind: 'lost', reason: 'already_used' };
        const answer = flow.run(answersDigest, KEEP_RESULT_MS, () => run(frame));
        const after = (): void => {
            if (frame.attempt.ended) this.#finish(flow);
        };
        answer.then(after, after);
        return { kind: 'answer', answer };
    }

    /** Takes no frame any more, and ends the ones that wait: resolves when their handlers have cleaned up. */
    async close(): Promise<void> {
        this.#closed = true;
        const waiting = [...this.#parked.values()].filter(({ resting }) => resting);
        const over = Promise.all(waiting.map(flow => this.#expire(flow)));
        await Promise.race([over, new Promise<void>(resolve => void this.#timing.expire(DRAIN_MS, resolve))]);
    }

    #add(flow: ParkedFlow): void {
        this.#parked.set(flow.id, flow);
        if (flow.principal === null) return;
        const own = this.#byPrincipal.get(flow.principal) ?? new Set();
        this.#byPrincipal.set(flow.principal, own.add(flow));
    }

    #remove(flow: ParkedFlow): void {
        this.#parked.delete(flow.id);
        if (flow.principal === null) return;
        const own = this.#byPrincipal.get(flow.principal);
        own?.delete(flow);
        if (own?.size === 0) this.#byPrincipal.delete(flow.principal);
    }

    /** The ones that have waited longest go first; a round that runs is not cut. */
    #makeRoom(newest: ParkedFlow): void {
        const { maxParked, maxParkedPerPrincipal } = this.#limits;
        const own = newest.principal === null ? undefined : this.#byPrincipal.get(newest.principal);
        if (own !== undefined && own.size > maxParkedPerPrincipal) this.#evict(own);
        if (this.#parked.size > maxParked) this.#evict(this.#parked.values());
    }

    #evict(flows: Iterable<ParkedFlow>): void {
        for (const flow of flows) {
            if (!flow.resting) continue;
            void this.#expire(flow);
            return;
        }
    }

    #expire(flow: ParkedFlow): Promise<void> {
        this.#remove(flow);
        return flow.expire(this.#limits.ttlMs);
    }

    #finish(flow: ParkedFlow): void {
        this.#remove(flow);
        flow.finish();
        this.#finished.set(flow.id, flow);
        const [oldest] = this.#finished.values();
        if (this.#finished.size > this.#limits.maxParked && oldest !== undefined) this.#forget(oldest);
        // Longer than this no state of the flow opens, so nobody can ask for it.
        this.#timing.expire(this.#limits.ttlMs, () => this.#forget(flow));
    }

    #forget(flow: ParkedFlow): void {
        this.#finished.delete(flow.id);
        flow.forget();
    }
}
