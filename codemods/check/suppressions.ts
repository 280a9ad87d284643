import { lintRule } from '../rules/lintRules.js';

/** A comment `mcp-mrtr-ignore <rule> <reason>`; without the name of a rule it holds for all of them. */
export interface Suppression {
    file: string;
    line: number;
    column: number;
    endColumn: number;
    rule: string | undefined;
    reason: string;
    /** Offsets of the comment in the text, with the line when it has that to itself. */
    start: number;
    end: number;
}

const COMMENT =
    /\/\/[^\r\n]*?mcp-mrtr-ignore(?![-\w])([^\r\n]*)|\/\*(?:(?!\*\/)[\s\S])*?mcp-mrtr-ignore(?![-\w])((?:(?!\*\/)[^\r\n])*)(?:(?!\*\/)[\s\S])*\*\//g;

/**
 * The suppressions of a file.
 *
 * @param isComment whether a comment stands at an offset: the same words may stand in a string.
 */
export function suppressionsIn(file: string, text: string, isComment: (offset: number) => boolean): Suppression[] {
    if (!text.includes('mcp-mrtr-ignore')) return [];
    return [...text.matchAll(COMMENT)].flatMap(match => {
        const start = match.index;
        if (!isComment(start)) return [];
        const end = start + match[0].length;
        const at = start + match[0].indexOf('mcp-mrtr-ignore');
        const words = (match[1] ?? match[2] ?? '').replace(/^\s*:/, '').trim();
        const [first = '', ...rest] = words.split(/[\s:]+/);
        const named = lintRule(first) !== undefined;
        const lineStart = text.lastIndexOf('\n', at) + 1;
        return [
            {
                file,
                line: text.slice(0, at).split('\n').length,
                column: at - lineStart + 1,
                endColumn: at - lineStart + 1 + 'mcp-mrtr-ignore'.length,
                rule: named ? first : undefined,
                reason: named ? rest.join(' ') : words,
                ...wholeLine(text, start, end)
            }
        ];
    });
}

function wholeLine(text: string, start: number, end: number): { start: number; end: number } {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const newline = text.indexOf('\n', end);
    const to = newline === -1 ? text.length : newline + 1;
    if (text.slice(from, start).trim() === '' && text.slice(end, to).trim() === '') return { start: from, end: to };
    const space = /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
    return { start: start - space, end };
}
