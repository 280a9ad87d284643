import type { EmbeddedRequest } from '../exchange/question.js';
import { missingCapability } from '../handler/capabilities.js';
import type { Call, Receiver } from './call.js';
import { embeddedAsk, isAsk } from './embedded-ask.js';
import { BridgeError, errorOf, OldServerError } from './errors.js';
import type { ClientFacts, MessageId, Params, RpcRequest, RpcResponse } from './json-rpc.js';
import type { Carrier, OpenRequests } from './open-requests.js';
import { OutsideAsks } from './outside-asks.js';
import { delay } from './waiting.js';

export interface ServerAsksOptions {
    readonly open: OpenRequests;
    readonly client: ClientFacts;
    readonly respond: (response: RpcResponse) => void;
    readonly notice: (text: string) => void;
    /** Resolves when what the server sends at once in reply to what it was sent has come. */
    readonly inOrder: () => Promise<void>;
    /** Tells the server that the roots of its client may have changed. */
    readonly rootsChanged: () => void;
}

/** How long a server gets to take in what it asked outside of any request, before a call is started. Milliseconds. */
const DIGEST_MS = 50;

/** What one old server asks its client: which call carries it, and what waits for the next one. */
export class ServerAsks {
    readonly #options: ServerAsksOptions;
    readonly #outside = new OutsideAsks();
    #fresh = true;
    /** Whether the server keeps the client's roots, and so has to be told when they may have changed. */
    #keepsRoots = false;
    /** Calls that are about to start and take over asks outside of requests. */
    #carriers = 0;

    constructor(options: ServerAsksOptions) {
        this.#options = options;
    }

    /**
     * A request of the old server.
     *
     * @param origin id of the request that it was sent while serving, if the link can tell.
     */
    receive(request: RpcRequest, origin: MessageId | undefined): void {
        const answer = new Answer(request.id, this.#options.respond);
        if (request.method === 'ping') answer.resolve({});
        else if (isAsk(request.method)) this.#ask(request, origin, answer);
        else answer.reject(notSupported());
    }

    /**
     * What the server has asked outside of any request goes first: the call is held until it has its answers (DESIGN
     * rule 23).
     */
    async goBefore(call: Call): Promise<void> {
        this.#carriers++;
        try {
            await this.#carry(call);
        } finally {
            this.#carriers--;
        }
    }

    /** Nothing that waits for a call will be answered. */
    refuse(error: Error): void {
        this.#outside.refuse(error);
    }

    async #carry(call: Call): Promise<void> {
        const { inOrder, rootsChanged, client } = this.#options;
        const fresh = this.#fresh;
        this.#fresh = false;
        // Revision 2026-07-28 has no notification that roots have changed: who keeps them has to ask before each call.
        const refresh = this.#keepsRoots && !fresh;
        if (refresh) rootsChanged();
        if (!fresh && !refresh && this.#outside.waiting === 0) return;
        await inOrder();
        // What a server begins when the handshake is over may have to wait for a file before it asks for roots.
        if (fresh && client.capabilities.roots !== undefined) await delay(DIGEST_MS);
        while (this.#outside.waiting > 0) {
            await this.#outside.carry(call);
            await inOrder();
            await delay(DIGEST_MS);
        }
    }

    #ask(request: RpcRequest, origin: MessageId | undefined, answer: Answer): void {
        const asked = embeddedAsk(request);
        const rootsOfNobody = asked.method === 'roots/list' && origin === undefined;
        // While a call is held for them, roots that the server fetches by itself are what it is held for.
        const held = this.#carriers > 0 && rootsOfNobody;
        const carrier = held ? 'none' : this.#options.open.carrierOf(asked.method, origin);
        if (carrier instanceof BridgeError) {
            this.#options.notice(carrier.message);
            answer.reject(carrier);
            return;
        }
        // Whoever fetches roots without saying for which call may keep them.
        if (rootsOfNobody) this.#keepsRoots = true;
        if (carrier === 'none') {
            this.#askOutside(asked, answer);
            return;
        }
        const carried = new CarriedAnswer(answer, carrier);
        carrier.call.ask(asked, carried);
        // It need not have been this call that wanted them: if it is over first, they still have to come.
        if (rootsOfNobody) carrier.whenOver(() => carried.detach() && this.#askOutside(asked, answer));
    }

    #askOutside(asked: EmbeddedRequest, answer: Receiver): void {
        // No call of this client will ever be able to carry it.
        const refusal = missingCapability(asked, this.#options.client.capabilities);
        if (refusal === undefined) this.#outside.wait(asked, answer);
        else answer.reject(notSupported());
    }
}

/** The answer to a request of the old server. */
class Answer implements Receiver {
    readonly id: MessageId;
    readonly #respond: ServerAsksOptions['respond'];

    constructor(id: MessageId, respond: ServerAsksOptions['respond']) {
        this.id = id;
        this.#respond = respond;
    }

    resolve(result: Params): void {
        this.#respond({ jsonrpc: '2.0', id: this.id, result });
    }

    reject(error: Error): void {
        this.#respond({ jsonrpc: '2.0', id: this.id, error: errorOf(error) });
    }
}

/** The answer to a question that a call brings to its client. */
class CarriedAnswer implements Receiver {
    #answer: Answer | undefined;
    readonly #carrier: Carrier;

    constructor(answer: Answer, carrier: Carrier) {
        this.#answer = answer;
        this.#carrier = carrier;
        carrier.asks = carrier.asks.concat(answer.id);
    }

    resolve(result: Params): void {
        this.#take()?.resolve(result);
    }

    reject(error: Error): void {
        this.#take()?.reject(error);
    }

    /** @returns whether it waits for its client, from whom nothing is taken any more. */
    detach(): boolean {
        return this.#take() !== undefined;
    }

    #take(): Answer | undefined {
        const answer = this.#answer;
        this.#answer = undefined;
        if (answer !== undefined) this.#carrier.asks = this.#carrier.asks.filter(id => id !== answer.id);
        return answer;
    }
}

/** What a 2025-era client answers to what it did not declare. */
export function notSupported(): OldServerError {
    return new OldServerError({ code: -32601, message: 'Method not found' });
}
