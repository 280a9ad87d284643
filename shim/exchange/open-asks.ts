import { unawaited } from './promises.js';
import type { Question } from './question.js';

/** A question that waits for the client. */
export interface OpenAsk {
    readonly key: string;
    readonly question: Question;
}

interface Waiting extends OpenAsk {
    readonly promise: Promise<unknown>;
    readonly resolve: (answer: PromiseLike<unknown>) => void;
    readonly reject: (error: Error) => void;
}

/** The questions of one frame that have no answer yet, in the order in which they were asked. */
export class OpenAsks {
    /** Few at a time: a map would be the larger part of what a parked frame keeps of them. */
    #waiting: readonly Waiting[] = [];

    get size(): number {
        return this.#waiting.length;
    }

    list(): OpenAsk[] {
        return this.#waiting.map(({ key, question }) => ({ key, question }));
    }

    /** The promise settles with {@link answer} or {@link rejectAll}; if neither comes, never. */
    open(key: string, question: Question): Promise<unknown> {
        let settle!: Pick<Waiting, 'resolve' | 'reject'>;
        const promise = new Promise<unknown>((resolve, reject) => (settle = { resolve, reject }));
        this.#waiting = this.#waiting.concat({ key, question, promise, ...settle });
        return promise;
    }

    answer(key: string, answer: PromiseLike<unknown>): void {
        const ask = this.#waiting.find(waiting => waiting.key === key);
        if (ask === undefined) return;
        this.#waiting = this.#waiting.filter(waiting => waiting !== ask);
        ask.resolve(answer);
        // Not before: a parked frame would keep the promise of it.
        void unawaited(ask.promise);
    }

    rejectAll(reason: (ask: OpenAsk) => Error): void {
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const ask of waiting) {
            ask.reject(reason(ask));
            void unawaited(ask.promise);
        }
    }
}
