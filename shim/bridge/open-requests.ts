import { BridgeError } from './errors.js';
import type { MessageId, Params } from './json-rpc.js';
import type { CallHost } from './old-server.js';

/** A request to an old server that it has not answered. */
export interface OpenRequest {
    readonly method: string;
    /** Whom the server may ask while it serves this; absent for requests that nothing can be asked within. */
    readonly host: CallHost | undefined;
    readonly resolve: (result: Params) => void;
    readonly reject: (error: Error) => void;
    /** Settles when it has been answered or given up, and never rejects. */
    readonly over: Promise<void>;
    /** Ids of the server's own requests that wait for the client. */
    readonly asks: Set<MessageId>;
    cancelled: boolean;
}

/** A call that can carry a question to its client. */
export type Carrier = OpenRequest & { readonly host: CallHost };

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

    /** The requests of one call: a call is one request, but its host may have been given up before that is sent. */
    of(host: CallHost): [MessageId, OpenRequest][] {
        return [...this.#byId].filter(([, request]) => request.host === host);
    }

    rejectAll(error: Error): void {
        const requests = [...this.#byId.values()];
        this.#byId.clear();
        for (const { reject } of requests) reject(error);
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
    listenerOf(origin: MessageId | undefined): CallHost | undefined {
        if (origin !== undefined) return this.#byId.get(origin)?.host;
        const [only, second] = this.#carriers();
        return second === undefined ? only?.host : undefined;
    }

    #carriers(): Carrier[] {
        return [...this.#byId.values()].filter(isCarrier).filter(({ cancelled }) => !cancelled);
    }
}

function isCarrier(request: OpenRequest): request is Carrier {
    return request.host !== undefined;
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
