import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import type { jsonSchemaValidator, ServerContext } from '@modelcontextprotocol/server';

import type { Attempt } from '../exchange/attempt.js';
import { ParkedCall } from './parked-call.js';

/** One request on its way to the handler. */
export interface Round {
    readonly ctx: ServerContext;
    /** The server's own validator for the content of forms, if it shows one. */
    readonly validator: jsonSchemaValidator | undefined;
    /** What the request brings of the answers to the last round, by key. */
    readonly answers: ReadonlyMap<string, unknown>;
}

/** What is known of the last request when it is over: plain data of the client, nothing of the server. */
interface Facts {
    readonly id: ServerContext['mcpReq']['id'];
    readonly meta: ServerContext['mcpReq']['_meta'];
    readonly envelope: ServerContext['mcpReq']['envelope'];
    readonly authInfo: NonNullable<ServerContext['http']>['authInfo'];
}

/** Learns that a call is cancelled as from the signal of its context, which would cost a parked frame 900 bytes. */
export interface CancelWatcher {
    onCancelled(reason: unknown): void;
}

const NONE: readonly never[] = [];

/** Whether a lost frame may be made again from the top, with what its state has recorded (DESIGN rule 10). */
export type Fallback = 'never' | 'if-hinted' | 'always';

/**
 * A call between its first request and its result. It points to the request of the present round, and between rounds to
 * none: a parked handler that held a request would hold the server that was made for it (DESIGN rule 11).
 */
export class Frame {
    readonly attempt: Attempt;
    #round: Round | undefined;
    #facts: Facts | undefined;
    #fallback: Fallback | undefined;
    #calls: readonly ParkedCall[] = NONE;
    #entered = 0;
    #requests: Set<AbortSignal> | undefined;
    #cancelled: { readonly reason: unknown } | undefined;
    #controller: AbortController | undefined;
    #watchers: readonly CancelWatcher[] = NONE;

    /** @param attempt makes the attempt, whose host may ask the frame for its round. */
    constructor(attempt: (frame: Frame) => Attempt) {
        this.attempt = attempt(this);
    }

    /** The request that the handler runs on; `undefined` between rounds. */
    get round(): Round | undefined {
        return this.#round;
    }

    get facts(): Facts | undefined {
        return this.#facts;
    }

    /** How to go on if this frame is lost; `undefined` if it does not stay in memory. */
    get fallback(): Fallback | undefined {
        return this.#fallback;
    }

    /** Whether the frame stays in memory between its rounds. */
    get parks(): boolean {
        return this.#fallback !== undefined;
    }

    /** Whether the present round has come as far as the handler. */
    get reached(): boolean {
        return this.parks ? this.#entered > 0 : this.attempt.begun;
    }

    enter(round: Round): void {
        const { mcpReq, http } = round.ctx;
        this.#round = round;
        this.#entered = 0;
        this.#facts = { id: mcpReq.id, meta: mcpReq._meta, envelope: mcpReq.envelope, authInfo: http?.authInfo };
        if (this.parks) this.watch(mcpReq.signal);
    }

    /** The request has been answered: nothing of it is kept. */
    leave(): void {
        this.#round = undefined;
        for (const call of this.#calls) call.leave();
        for (const signal of this.#requests ?? []) signal.removeEventListener('abort', this);
        this.#requests = undefined;
    }

    /** From now on the frame stays in memory. */
    park(fallback: Fallback): void {
        this.#fallback = fallback;
        if (this.#round !== undefined) this.watch(this.#round.ctx.mcpReq.signal);
    }

    /**
     * The next handler that this round comes to: started by the first round that comes so far, and joined by the
     * others. Code above the handlers, as a dispatcher, runs again in each round, so they are told apart by their order.
     */
    call(round: Round, start: () => unknown): Promise<unknown> {
        if (round !== this.#round) return new Promise(() => undefined);
        this.attempt.deliver(round.answers);
        const joined = this.#calls[this.#entered++];
        if (joined !== undefined) return joined.join();
        const call = new ParkedCall(start, this.attempt);
        this.#calls = this.#calls.concat(call);
        return call.join();
    }

    /** A request waits for this round: the one that brought it, or a duplicate. It is cancelled with the last of them. */
    watch(signal: AbortSignal): void {
        this.#requests ??= new Set();
        this.#requests.add(signal);
        if (signal.aborted) this.#cancel(signal);
        else signal.addEventListener('abort', this);
    }

    /** Aborted when a round of this call is cancelled; the same in all rounds. */
    get signal(): AbortSignal {
        if (this.#controller === undefined) {
            this.#controller = new AbortController();
            if (this.#cancelled !== undefined) this.#controller.abort(this.#cancelled.reason);
        }
        return this.#controller.signal;
    }

    onCancel(watcher: CancelWatcher): void {
        if (this.#cancelled === undefined) this.#watchers = this.#watchers.concat(watcher);
        else watcher.onCancelled(this.#cancelled.reason);
    }

    /** One of the requests is cancelled. */
    handleEvent({ target }: Event): void {
        this.#cancel(target as AbortSignal);
    }

    /** Ends the frame as an unanswered push request ended: its open asks reject, and its handler cleans up. */
    async expire(timeoutMs: number): Promise<void> {
        const timeout = { timeout: timeoutMs };
        this.attempt.expire(() => new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out', timeout));
        await Promise.all(this.#calls.map(({ over }) => over));
    }

    #cancel(signal: AbortSignal): void {
        this.#requests?.delete(signal);
        if (this.#requests?.size !== 0) return;
        const reason: unknown = signal.reason;
        this.#cancelled = { reason };
        this.#controller?.abort(reason);
        for (const watcher of this.#watchers) watcher.onCancelled(reason);
        // What a push request rejected with when the call that it belonged to was cancelled.
        const error = reason instanceof SdkError ? reason : new SdkError(SdkErrorCode.RequestTimeout, String(reason));
        this.attempt.expire(() => error);
        this.attempt.fail(error);
    }
}
