import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CARRIED_WORDS, GATE_WORDS } from './facts/surface.js';
import { concernsAny } from './files/concerns.js';
import { discover, ofPackage } from './files/discover.js';
import type { Discovery, SourceFile } from './files/discover.js';
import { readSource } from './files/readSource.js';
import { parseErrors } from './project/parseErrors.js';
import type { Diagnostic } from './report.js';
import { zodVersions } from './upgrade/zodVersions.js';
import type { ZodVersions } from './upgrade/zodVersions.js';

/** What a command works on: the texts that concern it, without the files that cannot be worked on. */
export interface LoadedProject {
    root: string;
    discovery: Discovery;
    /** Absolute path → text of every source file under the paths, without byte order mark. */
    texts: Map<string, string>;
    /** Absolute path → text of each package.json that owns one of `texts`. */
    manifests: Map<string, string>;
    zod: ZodVersions;
    /** The texts that are worked on. */
    files: Map<string, string>;
    /** Files that had a byte order mark. */
    marked: Set<string>;
    tsconfig: string | undefined;
    /** Files that were left out for an error, by name. */
    failures: Diagnostic[];
}

/** What concerns a command beside the paths. */
export interface LoadOptions {
    /** A file with one of these words is worked on. */
    words?: readonly string[];
    /** Only the files of this package. */
    packageName?: string;
    /** Whether the files that import one of those are worked on, too. */
    importers?: boolean;
}

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads what lies under the given paths and keeps what can concern the protocol: files that pass the gate, and, because
 * imports lead to callees and never to callers, the files that import one that asks, until no more is found.
 * @throws NoSuchPathError, NoSuchPackageError
 */
export function loadProject(
    cwd: string,
    paths: readonly string[],
    { words = GATE_WORDS, packageName, importers = true }: LoadOptions = {}
): LoadedProject {
    const root = resolve(cwd);
    const found = discover({ cwd: root, paths });
    const discovery = packageName === undefined ? found : ofPackage(found, packageName);
    const failures: Diagnostic[] = [];
    const texts = new Map<string, string>();
    const marked = new Set<string>();
    for (const { absolutePath, path } of discovery.files) {
        const source = readSource(absolutePath);
        if ('problem' in source) {
            failures.push({
                level: 'error',
                code: 'unreadable-file',
                message: `${path} ${source.problem}`,
                file: path
            });
            continue;
        }
        if (source.text.startsWith(BYTE_ORDER_MARK)) marked.add(absolutePath);
        texts.set(absolutePath, source.text.replace(/^\uFEFF/, ''));
    }
    const concerned = new Set([...texts].filter(([, text]) => concernsAny(text, words)).map(([path]) => path));
    const carrying = [...concerned].filter(path => concernsAny(texts.get(path) ?? '', CARRIED_WORDS));
    if (importers) addImporters(concerned, carrying, texts, discovery);
    const files = new Map<string, string>();
    for (const file of discovery.files) {
        const text = texts.get(file.absolutePath);
        if (text === undefined || !concerned.has(file.absolutePath)) continue;
        const [broken] = parseErrors(text, file.absolutePath);
        if (broken === undefined) files.set(file.absolutePath, text);
        else failures.push(syntaxError(file, broken));
    }
    const manifests = readManifests(discovery, files);
    const tsconfig = tsconfigOf(discovery, files);
    return {
        root,
        discovery,
        texts,
        files,
        marked,
        manifests,
        zod: zodVersions(texts, manifestAt),
        tsconfig,
        failures
    };
}

function readManifests({ files }: Discovery, loaded: ReadonlyMap<string, string>): Map<string, string> {
    const owners = files
        .filter(({ absolutePath }) => loaded.has(absolutePath))
        .flatMap(({ manifest }) => manifest ?? []);
    const texts = new Map<string, string>();
    for (const path of new Set(owners)) {
        const source = readSource(path);
        if ('text' in source) texts.set(path, source.text);
    }
    return texts;
}

function manifestAt(folder: string): string | undefined {
    const path = join(folder, 'package.json');
    const source = existsSync(path) ? readSource(path) : undefined;
    return source !== undefined && 'text' in source ? source.text : undefined;
}

function syntaxError(
    { path }: SourceFile,
    { line, column, message }: { line: number; column: number; message: string }
): Diagnostic {
    return {
        level: 'error',
        code: 'syntax-error',
        message: `${path}:${line}:${column} ${message} The file was left out; mend it and run again.`,
        file: path,
        line
    };
}

const IMPORTED = /(?:from|import|require)\s*\(?\s*['"]([^'"\n]+)['"]/g;

/** Adds the files that import one of `start`, and those that import these, until no more is found. */
function addImporters(
    concerned: Set<string>,
    start: Iterable<string>,
    texts: ReadonlyMap<string, string>,
    { packages }: Discovery
): void {
    const packageNames = new Map([...packages].map(([name, folder]) => [folder, name]));
    const importedBy = new Map<string, string[]>();
    for (const [path, text] of texts) {
        for (const [, specifier = ''] of text.matchAll(IMPORTED)) {
            const target = targetOf(specifier, path);
            const importers = importedBy.get(target);
            if (importers === undefined) importedBy.set(target, [path]);
            else importers.push(path);
        }
    }
    const open = [...start];
    const seen = new Set(open);
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
        const names = [targetOf(path, path), stemOf(path), ...packagesAround(path, packageNames).map(stemOf)];
        for (const importer of names.flatMap(name => importedBy.get(name) ?? [])) {
            concerned.add(importer);
            if (seen.has(importer)) continue;
            seen.add(importer);
            open.push(importer);
        }
    }
}

/**
 * What an import names: a path without extension (and without `/index`), or, for the name of a package or an alias of
 * which only the compiler knows where it leads, its last part.
 */
function targetOf(specifier: string, from: string): string {
    if (!specifier.startsWith('.') && specifier !== from) return stemOf(specifier);
    const path = specifier === from ? from : resolve(dirname(from), specifier);
    return path.replace(EXTENSION, '').replace(/[\\/]index$/, '');
}

const EXTENSION = /\.[cm]?[jt]sx?$/;

/** The last part of what a file imports: `gardener` for `@/lib/gardener.js`, `lib` for `lib/index.js`. */
function stemOf(specifier: string): string {
    const parts = specifier.replace(EXTENSION, '').split(/[\\/]/);
    const last = parts.at(-1) ?? '';
    return last === 'index' ? (parts.at(-2) ?? '') : last;
}

function packagesAround(path: string, names: ReadonlyMap<string, string>): string[] {
    const found: string[] = [];
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
        const name = names.get(folder);
        if (name !== undefined) found.push(name);
    }
    return found;
}

/** The tsconfig that owns most of the files. */
function tsconfigOf({ files }: Discovery, loaded: ReadonlyMap<string, string>): string | undefined {
    const counts = new Map<string, number>();
    for (const { absolutePath, tsconfig } of files) {
        if (tsconfig !== undefined && loaded.has(absolutePath)) counts.set(tsconfig, (counts.get(tsconfig) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
