/** A comment that the migration left for a person. */
export interface Marker {
    line: number;
    column: number;
    endColumn: number;
    offset: number;
    todo: string;
}

const MARKER = /@mcp-mrtr-todo[ \t]*([^\r\n]*?)[ \t]*(?:\*\/|\r?\n|$)/g;

export function markersIn(text: string): Marker[] {
    if (!text.includes('@mcp-mrtr-todo')) return [];
    return [...text.matchAll(MARKER)].map(match => {
        const lineStart = text.lastIndexOf('\n', match.index) + 1;
        const column = match.index - lineStart + 1;
        return {
            line: text.slice(0, match.index).split('\n').length,
            column,
            endColumn: column + '@mcp-mrtr-todo'.length,
            offset: match.index,
            todo: match[1] ?? ''
        };
    });
}
