import type { SourceForm } from './sourceForm.js';

const NEW_IMPORT = /^(?:import|export|const|let|var)\b.*['"]@modelcontextprotocol\//;
const OLD_IMPORT_COMMENT =
    /(?:\bfrom\s*|\brequire\(\s*)['"]@modelcontextprotocol\/sdk[^'"]*['"]\)?;?[ \t]*(\/\/.*|\/\*.*\*\/)[ \t]*$/;

/**
 * Import lines that the official transforms wrote, as the file's author would have: in the order of the old ones (they
 * come out reversed), with the comments that stood behind the old ones, and without semicolons where the file has none.
 */
export function tidyImportLines(removed: readonly string[], added: readonly string[], form: SourceForm): string[] {
    const lines = added.map(line => withoutAddedSemicolon(line, form));
    const positions = lines.flatMap((line, index) => (NEW_IMPORT.test(line) ? [index] : []));
    const ordered = positions
        .map(index => lines[index] ?? '')
        .map(line => ({ line, rank: rankOf(line, removed) }))
        .sort((a, b) => a.rank - b.rank);
    positions.forEach((position, index) => {
        lines[position] = ordered[index]?.line ?? '';
    });
    for (const line of removed) keepComment(line, lines, positions);
    return lines;
}

/** Index of the first old line that has one of the names. */
function rankOf(line: string, removed: readonly string[]): number {
    const ranks = namesIn(line).map(name => removed.findIndex(old => hasWord(old, name)));
    return Math.min(...ranks.map(rank => (rank < 0 ? removed.length : rank)), removed.length);
}

function keepComment(oldLine: string, lines: string[], positions: readonly number[]): void {
    const comment = OLD_IMPORT_COMMENT.exec(oldLine)?.[1];
    if (comment === undefined || lines.some(line => line.includes(comment))) return;
    const names = namesIn(oldLine);
    const home = positions.find(index => names.some(name => hasWord(lines[index] ?? '', name))) ?? positions[0];
    if (home !== undefined) lines[home] = `${lines[home] ?? ''} ${comment}`;
}

function namesIn(line: string): string[] {
    const clause = line.replace(/(?:\bfrom\b|=\s*require\().*$/, '');
    return (clause.match(/[\w$]+/g) ?? []).filter(word => !/^(?:import|export|type|as|const|let|var)$/.test(word));
}

function hasWord(line: string, word: string): boolean {
    return line.split(/[^\w$]+/).includes(word);
}

function withoutAddedSemicolon(line: string, { semicolons }: SourceForm): string {
    return semicolons || !NEW_IMPORT.test(line) ? line : line.replace(/;$/, '');
}
