import { lineBreakOf } from '../files/lineForm.js';

export const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;
export type Section = (typeof SECTIONS)[number];

/** Package → range. */
export type Declared = Readonly<Record<Section, ReadonlyMap<string, string>>>;

/** The text of a package.json is not what npm can read. */
export class ManifestSyntaxError extends Error {
    override name = 'ManifestSyntaxError';
}

/** What a package.json declares. @throws ManifestSyntaxError */
export function declaredPackages(text: string): Declared {
    const manifest = parse(text);
    const read = (section: Section) => new Map(Object.entries(manifest[section] ?? {}));
    return {
        dependencies: read('dependencies'),
        devDependencies: read('devDependencies'),
        peerDependencies: read('peerDependencies'),
        optionalDependencies: read('optionalDependencies')
    };
}

/**
 * Edits one section of a package.json in its text; a package without a range is removed. Entries that stay keep every
 * character, new ones look like their neighbours and stand in alphabetical order where those do; a section that is
 * missing is added at the end. @throws ManifestSyntaxError
 */
export function editSection(text: string, section: Section, edits: ReadonlyMap<string, string | undefined>): string {
    parse(text);
    const span = sectionSpan(text, section);
    if (!span) return addSection(text, section, edits);
    const inner = text.slice(span.start, span.end);
    const entries = entriesOf(inner);
    const kept = entries
        .filter(({ name }) => !edits.has(name) || edits.get(name) !== undefined)
        .map(({ name, text: entry }) => ({ name, text: withRange(entry, edits.get(name)) }));
    const known = new Set(entries.map(({ name }) => name));
    const added = newEntries(edits).filter(({ name }) => !known.has(name));
    const all = inOrder(kept, added).map(entry => entry.text);
    const { open, between, close } = spacing(inner, text);
    const body = all.length === 0 ? '' : open + all.join(between) + close;
    return text.slice(0, span.start) + body + text.slice(span.end);
}

interface Entry {
    name: string;
    /** `"name": "range"`, with the spaces that it has. */
    text: string;
}

const ENTRY = /"((?:[^"\\]|\\.)*)"\s*:\s*"(?:[^"\\]|\\.)*"/g;

function entriesOf(inner: string): Entry[] {
    return [...inner.matchAll(ENTRY)].map(([text, name = '']) => ({ name, text }));
}

function newEntries(edits: ReadonlyMap<string, string | undefined>): Entry[] {
    return [...edits].flatMap(([name, range]) =>
        range === undefined ? [] : [{ name, text: `${JSON.stringify(name)}: ${JSON.stringify(range)}` }]
    );
}

function withRange(entry: string, range: string | undefined): string {
    return range === undefined ? entry : entry.replace(/"(?:[^"\\]|\\.)*"$/, () => JSON.stringify(range));
}

/** New entries go where npm would put them, unless somebody ordered the section otherwise. */
function inOrder(kept: Entry[], added: Entry[]): Entry[] {
    const isSorted = kept.every((entry, index) => (kept[index - 1]?.name ?? '') <= entry.name);
    const all = [...kept, ...added];
    return isSorted ? all.sort((a, b) => (a.name < b.name ? -1 : 1)) : all;
}

/** What stands around the entries of a section. */
function spacing(inner: string, text: string): { open: string; between: string; close: string } {
    const first = /^\s*(?=")/.exec(inner)?.[0];
    const last = /"(\s*)$/.exec(inner)?.[1];
    if (first === undefined || last === undefined) {
        const lineBreak = lineBreakOf(text);
        const open = lineBreak + indentOf(text).repeat(2);
        return { open, between: `,${open}`, close: lineBreak + indentOf(text) };
    }
    const isInline = !/[\r\n]/.test(first);
    return { open: first, between: isInline ? ', ' : `,${first}`, close: last };
}

function addSection(text: string, section: Section, edits: ReadonlyMap<string, string | undefined>): string {
    const entries = newEntries(edits);
    if (entries.length === 0) return text;
    const lineBreak = lineBreakOf(text);
    const indent = indentOf(text);
    const lines = inOrder([], entries).map(entry => lineBreak + indent.repeat(2) + entry.text);
    const property = `${lineBreak}${indent}"${section}": {${lines.join(',')}${lineBreak}${indent}}`;
    const end = text.lastIndexOf('}');
    const before = text.slice(0, end).trimEnd();
    return before + (before.endsWith('{') ? '' : ',') + property + lineBreak + text.slice(end);
}

function indentOf(text: string): string {
    return /[\r\n]([ \t]+)"/.exec(text)?.[1] ?? '  ';
}

/** Offsets between the braces of a top-level object property; of valid JSON. */
function sectionSpan(text: string, section: Section): { start: number; end: number } | undefined {
    let depth = 0;
    let start: number | undefined;
    for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:\s*\{)?|[{}[\]]/g)) {
        const isKey = depth === 1 && token.startsWith(`"${section}"`) && token.endsWith('{');
        if (isKey) start = index + token.length;
        if (token.endsWith('{') || token === '[') depth++;
        else if (token === '}' || token === ']') depth--;
        if (start !== undefined && depth === 1) return { start, end: index };
    }
    return undefined;
}

type Manifest = Partial<Record<Section, Record<string, string>>>;

function parse(text: string): Manifest {
    let value: unknown;
    try {
        value = JSON.parse(text.replace(/^\uFEFF/, ''));
    } catch (error) {
        throw new ManifestSyntaxError(error instanceof Error ? error.message : String(error));
    }
    if (!isObject(value)) throw new ManifestSyntaxError('it is not a JSON object');
    for (const section of SECTIONS) {
        const declared = value[section];
        if (declared === undefined) continue;
        if (!isObject(declared) || !Object.values(declared).every(range => typeof range === 'string')) {
            throw new ManifestSyntaxError(`"${section}" is not an object of ranges`);
        }
    }
    return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
