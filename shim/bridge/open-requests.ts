import type { Call, Receiver } from './call.js';
import { BridgeError } from './errors.js';
import type { MessageId, Params } from './json-rpc.js';

const NONE: readonly never[] = [];

/** A request to an old server that it has not answered. */
export class OpenRequest {
    readonly method: string;
    /** Whom the server may ask while it serves this; absent for requests that nothing can be asked within. */
    readonly call: Call | undefined;
    readonly #receiver: Receiver;
    /** Ids of the server's own requests that wait for the client. Few at a time, and kept with a call that waits. */
    asks: readonly MessageId[] = NONE;
    cancelled = false;
    #afterwards: (() => void)[] | undefined;

    constructor(method: string, receiver: Receiver, call?: Call) {
        this.method = method;
        this.call = call;
        this.#receiver = receiver;
    }

    /** `then` is called when this has been answered or cancelled. */
    whenOver(then: () => void): void {
        (this.#afterwards ??= []).push(then);
    }

    resolve(result: Params): void {
        this.#receiver.resolve(result);
        this.#over();
    }

    reject(error: Error): void {
        this.#receiver.reject(error);
        this.#over();
    }

    #over(): void {
        const afterwards = this.#afterwards ?? NONE;
        this.#afterwards = undefined;
        for (const then of afterwards) then();
    }
}

/** A call that can carry a question to its client. */
export type Carrier = OpenRequest & { readonly call: Call };

/** What one old server has been asked and not answered, and whose of it a message of its own is about. */
export class OpenRequests {
    readonly #byId = new Map<MessageId, OpenRequest>();

    get size(): number {
        return this.#byId.size;
    }

    add(id: MessageId, request: OpenRequest): void {
        this.#byId.set(id, request);
    }

    get(id: MessageId): OpenRequest | undefined {
        return this.#byId.get(id);
    }

    take(id: MessageId): OpenRequest | undefined {
        const request = this.#byId.get(id);
        this.#byId.delete(id);
        return request;
    }

    /** The request of a call, if that is open: it may have been given up before it was sent. */
    of(call: Call): [MessageId, OpenRequest] | undefined {
        return [...this.#byId].find(([, request]) => request.call === call);
    }

    rejectAll(error: Error): void {
        const requests = [...this.#byId.values()];
        this.#byId.clear();
        for (const request of requests) request.reject(error);
    }

    /**
     * The call that an ask belongs to, `'none'` if it belongs to no request, or why nobody can be asked. Between two
     * calls is never guessed: a user would be asked about another one's call (DESIGN rule 21).
     *
     * @param origin id of the request that the ask was sent while serving, if the link can tell.
     */
    carrierOf(method: string, origin: MessageId | undefined): Carrier | 'none' | BridgeError {
        if (origin !== undefined) {
            const served = this.#byId.get(origin);
            if (served === undefined || served.cancelled) return method === 'roots/list' ? 'none' : over(method);
            return isCarrier(served) ? served : noCarrier(served.method);
        }
        const [only, second] = this.#carriers();
        if (only === undefined) return 'none';
        return second === undefined ? only : ambiguous(method, this.#carriers().length);
    }

    /** Whom a log message is for: one that may belong to either of two calls is shown to neither. */
    listenerOf(origin: MessageId | undefined): Call | undefined {
        if (origin !== undefined) return this.#byId.get(origin)?.call;
        const [only, second] = this.#carriers();
        return second === undefined ? only?.call : undefined;
    }

    #carriers(): Carrier[] {
        return [...this.#byId.values()].filter(isCarrier).filter(({ cancelled }) => !cancelled);
    }
}

function isCarrier(request: OpenRequest): request is Carrier {
    return request.call !== undefined;
}

function over(method: string): BridgeError {
    return new BridgeError('no_carrier', `${method} was sent for a request that is over: nobody can be asked.`);
}

/** @param served the method of the request that the ask came in. */
export function noCarrier(served: string): BridgeError {
    return new BridgeError(
        'no_carrier',
        `The client was asked while serving ${served}: on protocol revision 2026-07-28 only tools/call, prompts/get and ` +
            `resources/read may require input.`
    );
}

function ambiguous(method: string, calls: number): BridgeError {
    return new BridgeError(
        'ambiguous_ask',
        `${method} came while ${calls} calls were open, and nothing tells which of them asks. Where a handler hands ` +
            `work to a queue, a pool or an emitter, bind the function with AsyncResource.bind.`
    );
}
