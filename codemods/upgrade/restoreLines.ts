import { diffArrays } from 'diff';
import { tidyImportLines } from './importLines.js';
import type { SourceForm } from './sourceForm.js';

/**
 * Puts a transformed body back into the form of its original: a line that differs only in indentation or trailing
 * blanks is the original line again (`.tool(` → `.registerTool(` re-indents whole callbacks, with spaces), blank lines
 * that came or went alone are undone, every kept line keeps its own line break and new ones get the file's.
 */
export function restoreLines(form: SourceForm, transformed: string): string {
    const before = form.body.split('\n');
    const out: { text: string; lineBreak: string }[] = [];
    const keep = (index: number) => out.push({ text: before[index] ?? '', lineBreak: form.breaks[index] ?? '' });

    // The end is the original's; a blank line there would be taken for any other blank line.
    const end = before.length - blanksAtStart(before.toReversed());
    for (const hunk of lineHunks(before.slice(0, end), transformed.trimEnd().split('\n'))) {
        if (hunk.kind === 'same' || (hunk.added.every(isBlank) && hunk.removed.every(isBlank))) {
            for (let i = 0; i < hunk.removed.length; i++) keep(hunk.start + i);
        } else {
            const lines = rewritten(hunk, form);
            const gap = gapOf(hunk, lines);
            // What stood between two parts of the file still does, though the imports above it are gone.
            if (gap !== undefined && !isBlank(out.at(-1)?.text ?? '')) keep(gap);
            for (const text of lines) out.push({ text, lineBreak: form.lineBreak });
        }
    }
    for (let index = end; index < before.length; index++) keep(index);
    return form.prefix + join(out, form);
}

/** Only between lines is a line break; the last line has none, wherever it stood before. */
function join(lines: { text: string; lineBreak: string }[], { lineBreak: fallback }: SourceForm): string {
    return lines
        .map(({ text, lineBreak }, index) => (index === lines.length - 1 ? text : text + (lineBreak || fallback)))
        .join('');
}

/** Index of the blank line behind imports that leave none behind. */
function gapOf({ start, removed }: Hunk, lines: readonly string[]): number | undefined {
    const gap = removed.findIndex(isBlank);
    const onlyImports = gap > 0 && /^\s*import\b/.test(removed[0] ?? '');
    return onlyImports && !lines.some(line => /^\s*import\b/.test(line)) && !isBlank(lines[0] ?? 'x')
        ? start + gap
        : undefined;
}

/** New lines with the indentation and the blank lines of the old ones, as far as they correspond. */
function rewritten({ removed, added }: Hunk, form: SourceForm): string[] {
    const tidied = tidyImportLines(removed, added, form).map(line => inQuotesOf(form, line));
    const lines = tidied.filter(line => !isBlank(line));
    if (lines.length === removed.filter(line => !isBlank(line)).length) {
        let next = 0;
        return removed.map(old => (isBlank(old) ? old : indentedLike(old, lines[next++] ?? '')));
    }
    if (lines.length === 0) return added;
    const leading = removed.slice(0, blanksAtStart(removed));
    const trailing = removed.slice(removed.length - blanksAtStart(removed.toReversed()));
    const inner = removed.slice(leading.length, removed.length - trailing.length).some(isBlank)
        ? trimBlanks(tidied)
        : lines;
    return [...leading, ...inner, ...trailing];
}

/** Method names are the one string that the official transforms write with quotes of their own. */
function inQuotesOf({ quote }: SourceForm, line: string): string {
    return line.replace(/(\bset(?:Request|Notification)Handler\()'([\w/]+)'/, `$1${quote}$2${quote}`);
}

/** What was moved to the first column (a declaration that became a statement) stays there. */
function indentedLike(old: string, line: string): string {
    return /^\S/.test(line) ? line : indentOf(old) + line.trimStart();
}

function trimBlanks(lines: string[]): string[] {
    return lines.slice(blanksAtStart(lines), lines.length - blanksAtStart(lines.toReversed()));
}

function blanksAtStart(lines: readonly string[]): number {
    const first = lines.findIndex(line => !isBlank(line));
    return first < 0 ? lines.length : first;
}

const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? '';

interface Hunk {
    kind: 'same' | 'changed';
    /** Index of the first old line (of the next one, where nothing was removed). */
    start: number;
    /** Old lines. */
    removed: string[];
    /** New lines; for `same` they differ from the old ones in outer whitespace only. */
    added: string[];
}

function lineHunks(before: string[], after: string[]): Hunk[] {
    const hunks: Hunk[] = [];
    let old = 0;
    for (const { added, removed, count, value } of diffArrays(before, after, {
        comparator: (a, b) => a.trim() === b.trim()
    })) {
        if (!added && !removed) {
            hunks.push({ kind: 'same', start: old, removed: before.slice(old, old + count), added: value });
            old += count;
            continue;
        }
        const last = hunks.at(-1);
        const hunk: Hunk = last?.kind === 'changed' ? last : { kind: 'changed', start: old, removed: [], added: [] };
        if (hunk !== last) hunks.push(hunk);
        if (added) hunk.added.push(...value);
        else {
            hunk.removed.push(...value);
            old += count;
        }
    }
    return hunks;
}

/**
 * For each line of `after`, the line of `before` that it came from (both from 1). A line inside a changed hunk maps to
 * the line at the same distance from the hunk's start, or to the hunk's last.
 */
export function originalLines(before: string, after: string): (line: number) => number {
    const map: number[] = [];
    for (const { start, removed, added } of lineHunks(before.split('\n'), after.split('\n'))) {
        for (let i = 0; i < added.length; i++) map.push(start + 1 + Math.min(i, Math.max(0, removed.length - 1)));
    }
    return line => map[line - 1] ?? line;
}

const isBlank = (line: string) => line.trim() === '';
