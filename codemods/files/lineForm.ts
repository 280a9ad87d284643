/** Byte order mark and shebang line (with its line break) at the start of a text; nothing may be inserted before them. */
export function prefixOf(text: string): string {
    return /^\uFEFF?(?:#![^\r\n]*(?:\r\n|\n|\r|$))?/.exec(text)?.[0] ?? '';
}

/** The line break that most lines of a text end with; `\n` for a text of one line. */
export function lineBreakOf(text: string): string {
    const counts = new Map<string, number>();
    for (const [lineBreak] of text.matchAll(/\r\n|\n|\r/g)) counts.set(lineBreak, (counts.get(lineBreak) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '\n';
}
