import MagicString from 'magic-string';
import type { Edit } from './edit.js';

/** Two edits that claim the same text. */
export class OverlapError extends Error {
    constructor(
        readonly first: Edit,
        readonly second: Edit
    ) {
        super(`${first.rule} and ${second.rule} both edit ${first.file} at ${second.start}–${second.end}`);
        this.name = 'OverlapError';
    }
}

/**
 * Applies edits to one text. Insertions at the same place keep the order in which they are given; an insertion at the
 * start of a replaced stretch comes before the new text. Throws `OverlapError` for replacements that overlap.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
    assertDisjoint(edits);
    const output = new MagicString(text);
    for (const { start, end, text: replacement } of edits) {
        if (start === end) output.appendLeft(start, replacement);
        else if (replacement === '') output.remove(start, end);
        else output.update(start, end, replacement);
    }
    return output.toString();
}

function assertDisjoint(edits: readonly Edit[]): void {
    const replacing = edits.filter(edit => edit.end > edit.start).sort((a, b) => a.start - b.start || a.end - b.end);
    for (const [index, edit] of replacing.entries()) {
        const next = replacing[index + 1];
        if (next !== undefined && next.start < edit.end) throw new OverlapError(edit, next);
    }
    for (const insertion of edits.filter(edit => edit.start === edit.end)) {
        const around = replacing.find(edit => edit.start < insertion.start && insertion.start < edit.end);
        if (around !== undefined) throw new OverlapError(around, insertion);
    }
}
