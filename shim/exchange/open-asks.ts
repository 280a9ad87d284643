import type { Question } from './question.js';

/** A question that waits for the client. */
export interface OpenAsk {
    readonly key: string;
    readonly question: Question;
}

interface Waiting extends OpenAsk {
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
        return new Promise((resolve, reject) => {
            this.#waiting = this.#waiting.concat({ key, question, resolve, reject });
        });
    }

    answer(key: string, answer: PromiseLike<unknown>): void {
        this.#waiting.find(ask => ask.key === key)?.resolve(answer);
        this.#waiting = this.#waiting.filter(ask => ask.key !== key);
    }

    rejectAll(reason: (ask: OpenAsk) => Error): void {
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const ask of waiting) ask.reject(reason(ask));
    }
}
