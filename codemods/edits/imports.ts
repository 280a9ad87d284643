import { dirname, extname, relative } from 'node:path';
import type { ModuleFact } from '../facts/facts.js';
import type { Edit } from './edit.js';

/** Names that edits need in a file, by module. A module that starts with `/` is a file of the project. */
export class ImportRequests {
    private readonly wanted = new Map<string, Map<string, Set<string>>>();

    constructor(private readonly modules: readonly ModuleFact[]) {}

    /**
     * Asks for a name and returns what it is called in the file: as an import that is there calls it, else by itself, or,
     * where the file has that name for something else, with a prefix. `name` may be `type X`: imported as a type.
     */
    add(file: string, module: string, name: string): string {
        const bare = name.replace(/^type /, '');
        const fact = this.modules.find(one => one.file === file);
        const present = fact?.imports.find(
            one => one.module === specifierOf(fact, module) && one.name === bare && (!one.typeOnly || bare !== name)
        );
        if (present !== undefined) return present.local;
        const taken = fact?.boundNames.includes(bare) ?? false;
        const local = taken ? `mrtr${bare.charAt(0).toUpperCase()}${bare.slice(1)}` : bare;
        const modules = this.wanted.get(file) ?? new Map<string, Set<string>>();
        const names = modules.get(module) ?? new Set<string>();
        this.wanted.set(file, modules.set(module, names.add(taken ? `${name} as ${local}` : name)));
        return local;
    }

    /**
     * Edits that add what is missing in each file: to an import of the same module where there is one that no other edit
     * touches, else as a line of its own behind the imports.
     */
    edits(others: readonly Edit[], rule: string, group: string): Edit[] {
        return this.modules.flatMap(fact => {
            const edit = (at: number, text: string): Edit => ({
                file: fact.file,
                start: at,
                end: at,
                text,
                rule,
                group
            });
            const edits: Edit[] = [];
            const lines: string[] = [];
            const wanted = [...(this.wanted.get(fact.file) ?? [])];
            // Packages first, then files of the project.
            for (const [module, names] of wanted.sort(([a], [b]) => Number(isOwn(a)) - Number(isOwn(b)))) {
                const specifier = specifierOf(fact, module);
                const present = openList(fact, specifier, others);
                const items = [...names].map(name => (fact.system === 'cjs' ? name.replace(' as ', ': ') : name));
                if (present === undefined) lines.push(importLine(fact, specifier, items));
                else edits.push(edit(present, items.map(name => `, ${name}`).join('')));
            }
            if (lines.length > 0) edits.push(edit(fact.importPosition, lines.map(line => line + fact.eol).join('')));
            return edits;
        });
    }
}

/** The end of the last name imported from a module, when names can be added there. */
function openList(fact: ModuleFact, module: string, others: readonly Edit[]): number | undefined {
    const last = fact.imports.findLast(one => one.module === module && !one.typeOnly);
    if (last === undefined) return undefined;
    const { declaration } = last;
    const touched = others.some(
        edit => edit.file === fact.file && edit.start < declaration.end && edit.end > declaration.start
    );
    return touched ? undefined : last.item.end;
}

const isOwn = (module: string): boolean => module.startsWith('/');

const specifierOf = (fact: ModuleFact, module: string): string =>
    isOwn(module) ? relativeSpecifier(fact, module) : module;

function importLine(fact: ModuleFact, specifier: string, names: readonly string[]): string {
    const { quote, semicolon, system } = fact;
    const list = [...names].sort(
        (a, b) => Number(a.startsWith('type ')) - Number(b.startsWith('type ')) || (a < b ? -1 : 1)
    );
    const from = `${quote}${specifier}${quote}`;
    const end = semicolon ? ';' : '';
    if (system === 'cjs') return `const { ${list.join(', ')} } = require(${from})${end}`;
    return list.every(name => name.startsWith('type '))
        ? `import type { ${list.map(name => name.slice('type '.length)).join(', ')} } from ${from}${end}`
        : `import { ${list.join(', ')} } from ${from}${end}`;
}

/** How a file names another file of the project: with the extension that its other imports use. */
export function relativeSpecifier(fact: ModuleFact, target: string): string {
    const path = relative(dirname(fact.file), target).replace(/\\/g, '/');
    const extension = extname(path);
    const stem = path.slice(0, path.length - extension.length);
    const specifier = stem + specifierExtension(fact, extension);
    return specifier.startsWith('.') ? specifier : `./${specifier}`;
}

const COMPILED: Readonly<Record<string, string>> = { '.ts': '.js', '.tsx': '.js', '.mts': '.mjs', '.cts': '.cjs' };

function specifierExtension(fact: ModuleFact, extension: string): string {
    const style = fact.relativeExtension;
    const compiled = COMPILED[extension];
    if (compiled === undefined) return style === '' && fact.system === 'cjs' ? '' : extension;
    if (style === '') return '';
    return /\.[cm]?tsx?$/.test(style) ? extension : compiled;
}

/**
 * Edits that take out imported names whose every use lies in text that the given edits remove. Names that were unused
 * before stay: they are not ours.
 */
export function removeOrphans(
    fact: ModuleFact,
    edits: readonly Edit[],
    text: string,
    rule: string,
    group: string
): Edit[] {
    const removed = edits.filter(edit => edit.file === fact.file && edit.end > edit.start);
    const orphaned = fact.imports.filter(
        one =>
            one.uses.length > 0 &&
            one.uses.every(use =>
                removed.some(edit => edit.start <= use && use < edit.end && !mentions(edit.text, one.local))
            ) &&
            !removed.some(edit => mentions(edit.text.replace(/(['"]).*?\1/g, ''), one.local))
    );
    const byDeclaration = new Map<number, typeof orphaned>();
    for (const one of orphaned) {
        byDeclaration.set(one.declaration.start, [...(byDeclaration.get(one.declaration.start) ?? []), one]);
    }
    return [...byDeclaration.values()].flatMap(names => {
        const [first] = names;
        if (first === undefined) return [];
        const all = fact.imports.filter(one => one.declaration.start === first.declaration.start);
        const declaration = text.slice(first.declaration.start, first.declaration.end);
        // A default or namespace import in the same declaration is not in `imports`: the declaration stays then.
        const whole = all.length === names.length && /^(?:import (?:type )?\{|const \{)/.test(declaration);
        const spans = whole
            ? [lineSpan(text, first.declaration)]
            : runs(
                  all.map(one => one.item),
                  all.map(one => names.includes(one))
              );
        return spans.map(span => ({ file: fact.file, ...span, text: '', rule, group }));
    });
}

const mentions = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);

interface Range {
    start: number;
    end: number;
}

/** The stretches of a comma list that go, each with exactly one of the commas beside it. */
function runs(items: readonly Range[], goes: readonly boolean[]): Range[] {
    const spans: Range[] = [];
    for (let at = 0; at < items.length; at++) {
        if (goes[at] !== true) continue;
        let last = at;
        while (goes[last + 1] === true) last++;
        const first = items[at];
        const next = items[last + 1];
        const previous = items[at - 1];
        const end = items[last];
        if (first !== undefined && next !== undefined) spans.push({ start: first.start, end: next.start });
        else if (previous !== undefined && end !== undefined) spans.push({ start: previous.end, end: end.end });
        at = last;
    }
    return spans;
}

/** A span with the rest of its line, when nothing else stands on it. */
export function lineSpan(text: string, span: Range): Range {
    const start = text.lastIndexOf('\n', span.start - 1) + 1;
    const newline = text.indexOf('\n', span.end);
    const end = newline < 0 ? text.length : newline + 1;
    const rest = text.slice(start, span.start) + text.slice(span.end, end);
    return rest.trim() === '' ? { start, end } : span;
}
