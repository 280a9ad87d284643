import type { EmbeddedRequest } from '../exchange/question.js';
import { BridgeError } from './errors.js';
import type { Params } from './json-rpc.js';
import type { CallHost } from './old-server.js';

interface Waiting {
    readonly request: EmbeddedRequest;
    readonly resolve: (answer: Params) => void;
    readonly reject: (error: Error) => void;
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

    wait(request: EmbeddedRequest): Promise<Params> {
        if (this.#waiting.length >= MAX_WAITING) {
            const message = `${request.method} was sent outside of any request, and ${MAX_WAITING} others wait already.`;
            return Promise.reject(new BridgeError('no_carrier', message));
        }
        return new Promise((resolve, reject) => this.#waiting.push({ request, resolve, reject }));
    }

    /**
     * Brings all that wait to the client of this call. If the call is given up meanwhile, what it has not answered waits
     * for the next one: on a replay that asks the same again, as it must.
     */
    async carry(host: CallHost): Promise<void> {
        const carried = [...this.#waiting];
        await Promise.all(
            carried.map(async waiting => {
                const settle = await host.ask(waiting.request).then(
                    answer => () => waiting.resolve(answer),
                    (error: unknown) => () => waiting.reject(error instanceof Error ? error : new Error(String(error)))
                );
                if (!this.#waiting.includes(waiting)) return;
                this.#waiting = this.#waiting.filter(other => other !== waiting);
                settle();
            })
        );
    }

    refuse(error: Error): void {
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const { reject } of waiting) reject(error);
    }
}
