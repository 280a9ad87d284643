import type { Divergence } from './errors.js';
import { firstDifference } from './question-memory.js';
import type { QuestionMemory } from './question-memory.js';
import type { EmbeddedRequest } from './question.js';
import type { Recording } from './recording.js';

/** Each answer that this attempt did not give, with what was asked, what is asked instead, and where they differ. */
export function divergences(recording: Recording, memory: QuestionMemory): Divergence[] {
    const refused = recording.refusals().map(({ key, answered, now: { request } }): Divergence => {
        const asked = memory.recall(answered);
        return { key, asked: text(asked), now: text(request), path: asked && firstDifference(asked, request) };
    });
    const missed = recording.unclaimedArrivals().map(({ key, digest }): Divergence => {
        return { key, asked: text(memory.recall(digest)) };
    });
    return [...refused, ...missed];
}

function text(request: EmbeddedRequest | undefined): string | undefined {
    return request && JSON.stringify(request);
}
