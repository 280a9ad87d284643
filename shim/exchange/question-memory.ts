import type { EmbeddedRequest, Question } from './question.js';

const MAX_QUESTIONS = 256;
const MAX_TEXT = 4096;

/**
 * Texts of questions that this process asked lately, by digest. For error messages only: the state carries no texts,
 * so a divergence that another instance finds is reported without the old wording.
 */
export class QuestionMemory {
    readonly #texts = new Map<string, string>();

    remember(question: Question): void {
        const text = JSON.stringify(question.request);
        if (text.length > MAX_TEXT) return;
        this.#texts.delete(question.digest);
        this.#texts.set(question.digest, text);
        if (this.#texts.size > MAX_QUESTIONS) {
            const [oldest] = this.#texts.keys();
            if (oldest !== undefined) this.#texts.delete(oldest);
        }
    }

    recall(digest: string): EmbeddedRequest | undefined {
        const text = this.#texts.get(digest);
        return text === undefined ? undefined : (JSON.parse(text) as EmbeddedRequest);
    }
}

/** The path of the first difference between two JSON values, as `params.message`; `undefined` if there is none. */
export function firstDifference(a: unknown, b: unknown, path = ''): string | undefined {
    if (Object.is(a, b)) return undefined;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return path;
    const left = a as Record<string, unknown>;
    const right = b as Record<string, unknown>;
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
        const found = firstDifference(left[name], right[name], path === '' ? name : `${path}.${name}`);
        if (found !== undefined) return found;
    }
    return undefined;
}
