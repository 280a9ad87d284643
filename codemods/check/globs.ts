/**
 * A matcher for paths: `*` within a folder, `**` over folders, `?`, `{a,b}`. A pattern without a slash matches a name
 * anywhere; one that names a folder matches what is in it.
 */
export function globMatcher(patterns: readonly string[]): (path: string) => boolean {
    const expressions = patterns.map(expressionOf);
    return path => expressions.some(expression => expression.test(path));
}

function expressionOf(pattern: string): RegExp {
    const anchored = pattern.replace(/^\.\//, '').replace(/\/+$/, '');
    const body = anchored.replace(/\*\*\/|\*\*|[*?{},]|[^*?{},]+/g, piece => TRANSLATED[piece] ?? escaped(piece));
    const anywhere = anchored.includes('/') ? '' : '(?:.*/)?';
    return new RegExp(`^${anywhere}${body}(?:/.*)?$`);
}

const TRANSLATED: Readonly<Record<string, string>> = {
    '**/': '(?:.*/)?',
    '**': '.*',
    '*': '[^/]*',
    '?': '[^/]',
    '{': '(?:',
    ',': '|',
    '}': ')'
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
