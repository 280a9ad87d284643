import type { EmbeddedRequest } from '../exchange/question.js';
import type { Call, Receiver } from './call.js';
import { BridgeError } from './errors.js';
import type { Params } from './json-rpc.js';

interface Waiting {
    readonly request: EmbeddedRequest;
    readonly answer: Receiver;
}

/** An old server that asks from a timer must not fill the memory when no call comes. */
const MAX_WAITING = 64;

/**
 * Asks that an old server made outside of any request, as for roots in `oninitialized`. Revision 2026-07-28 has no way
 * to bring them to the client, so they wait for the next call that can (DESIGN rule 23).
 */
export class OutsideAsks {
    #waiting: Waiting[] = [];

    get waiting(): number {
        return this.#waiting.length;
    }

    wait(request: EmbeddedRequest, answer: Receiver): void {
        if (this.#waiting.length >= MAX_WAITING) {
            const message = `${request.method} was sent outside of any request, and ${MAX_WAITING} others wait already.`;
            answer.reject(new BridgeError('no_carrier', message));
        } else {
            this.#waiting.push({ request, answer });
        }
    }

    /**
     * Brings all that wait to the client of this call. If the call is given up meanwhile, what it has not answered waits
     * for the next one: on a replay that asks the same again, as it must.
     */
    async carry(call: Call): Promise<void> {
        const carried = [...this.#waiting];
        await Promise.all(carried.map(waiting => this.#carry(waiting, call)));
    }

    refuse(error: Error): void {
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const { answer } of waiting) answer.reject(error);
    }

    #carry(waiting: Waiting, call: Call): Promise<void> {
        return new Promise(resolve => {
            const settle = (tell: () => void): void => {
                if (this.#waiting.includes(waiting)) {
                    this.#waiting = this.#waiting.filter(other => other !== waiting);
                    tell();
                }
                resolve();
            };
            call.ask(waiting.request, {
                resolve: (result: Params) => settle(() => waiting.answer.resolve(result)),
                reject: error => settle(() => waiting.answer.reject(error))
            });
        });
    }
}
