import { lineBreakOf, prefixOf } from '../files/lineForm.js';

/**
 * What surrounds and separates the lines of a file. The official transforms print LF, spaces and double quotes, and
 * lose a shebang in front of a removed import, so a text is taken apart before them and put together after them.
 */
export interface SourceForm {
    /** Byte order mark and shebang line, with its line break; not shown to any transform. */
    prefix: string;
    /** Lines in `prefix`. */
    prefixLines: number;
    /** The rest, every line break a `\n`. */
    body: string;
    /** Line break after each line of `body`, `''` after the last. */
    breaks: string[];
    /** The line break for new lines: the most frequent one. */
    lineBreak: string;
    /** One level of indentation: a tab, or as many spaces as the least indented line has. */
    indent: '\t' | '        ' | '    ' | '  ';
    quote: '"' | "'";
    semicolons: boolean;
}

export function takeApart(text: string): SourceForm {
    const prefix = prefixOf(text);
    const rest = text.slice(prefix.length);
    const breaks = rest.match(/\r\n|\n|\r/g) ?? [];
    return {
        prefix,
        prefixLines: /[\r\n]/.test(prefix) ? 1 : 0,
        body: rest.replace(/\r\n|\r/g, '\n'),
        breaks: [...breaks, ''],
        lineBreak: lineBreakOf(breaks.length > 0 ? rest : prefix),
        indent: indentOf(rest),
        quote:
            (rest.match(/\bfrom '|\brequire\('/g) ?? []).length >= (rest.match(/\bfrom "|\brequire\("/g) ?? []).length
                ? "'"
                : '"',
        semicolons: hasSemicolons(rest)
    };
}

/** By its import lines; a file that has none of them, or both kinds, gets semicolons. */
function hasSemicolons(text: string): boolean {
    return !IMPORT_END.test(text) || SEMICOLON_END.test(text);
}
const IMPORT_END = /^(?:import\b.*['"]|(?:const|let|var)\b.*\brequire\(.*\))[ \t]*$/m;
const SEMICOLON_END = /^(?:import\b.*['"]|(?:const|let|var)\b.*\brequire\(.*\));/m;

function indentOf(text: string): SourceForm['indent'] {
    // Lines of a block comment start with one space and a star; they are not indented by one space.
    const indents = text.match(/^[ \t]+(?=[^\s*])/gm) ?? [];
    if (indents.filter(indent => indent.startsWith('\t')).length * 2 > indents.length) return '\t';
    const narrowest = Math.min(8, ...indents.filter(indent => indent.startsWith(' ')).map(({ length }) => length));
    return narrowest < 4 ? '  ' : narrowest < 8 || indents.length === 0 ? '    ' : '        ';
}
