import { relative } from 'node:path';
import type { Node } from 'ts-morph';

export interface PlacesHome {
    root: string;
    /** The line of the text as it was given, for a line of a text that was made of it. */
    lineBefore?: (path: string, text: string, line: number) => number;
}

/** `src/a.ts:12`, for messages. */
export function placeOf(node: Node, { root, lineBefore }: PlacesHome): string {
    const file = node.getSourceFile();
    const line = node.getStartLineNumber();
    const given = lineBefore?.(file.getFilePath(), file.getFullText(), line) ?? line;
    return `${relative(root, file.getFilePath()).replace(/\\/g, '/')}:${given}`;
}
