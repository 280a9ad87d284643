import type { Edit } from '../edits/edit.js';
import { ruleById } from '../rules/index.js';

/** What a person greps for. */
export const MARKER = '@mcp-mrtr-todo';

export interface MarkedSite {
    file: string;
    rule: string;
    reason: string;
    /** Offset of the statement that the comment goes above. */
    statement: number;
}

/** One comment above each statement with a site that is left to a person; a statement that has one gets no second. */
export function markerEdits(sites: readonly MarkedSite[], textOf: (file: string) => string, group: string): Edit[] {
    const edits: Edit[] = [];
    const marked = new Set<string>();
    for (const { file, rule, reason, statement } of sites) {
        const text = textOf(file);
        const start = text.lastIndexOf('\n', statement - 1) + 1;
        const place = `${file}:${start}`;
        const indent = text.slice(start, statement);
        if (indent.trim() !== '' || marked.has(place) || hasMarker(text, start)) continue;
        marked.add(place);
        const todo = ruleById(rule)?.meta.messages['todo'] ?? 'see the report';
        const eol = text.includes('\r\n') ? '\r\n' : '\n';
        const comment = `/* ${MARKER} ${rule}: ${todo}. Why not rewritten: ${reason.replace(/\*\//g, '* /')} */`;
        edits.push({ file, start, end: start, text: `${indent}${comment}${eol}`, rule, group });
    }
    return edits;
}

/** Whether the line above (or the rest of a comment that ends there) carries a marker. */
function hasMarker(text: string, lineStart: number): boolean {
    const above = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, lineStart);
    return above.includes(MARKER);
}
