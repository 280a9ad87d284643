import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { registersOnServer } from './facts/registrations.js';
import { CARRIED_WORDS, GATE_WORDS } from './facts/surface.js';
import { concernsAny } from './files/concerns.js';
import { discover, ofPackage } from './files/discover.js';
import type { Discovery, SourceFile } from './files/discover.js';
import { Importers } from './files/importers.js';
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
 * Reads what lies under the given paths and keeps what can concern the protocol: files that pass the gate; because imports
 * lead to callees and never to callers, the files that import one that asks, until no more is found; and the files that
 * register handlers on a server that one of these gives them.
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
    const failures: Diagnostic[] = [...discovery.unreadable].map(unreadableFolder);
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
    if (importers) {
        const graph = new Importers(texts, discovery);
        for (const path of graph.above(carrying)) concerned.add(path);
        for (const path of registeringFiles(concerned, texts, graph)) concerned.add(path);
    }
    const files = new Map<string, string>();
    for (const file of discovery.files) {
        const text = texts.get(file.absolutePath);
        if (text === undefined || !concerned.has(file.absolutePath)) continue;
        if (text.length > MOST_CHARACTERS) {
            failures.push(tooLarge(file));
            continue;
        }
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

/**
 * Files that register on a server they are given, without a word of the SDK, as in JavaScript: reached by imports from a
 * file that is worked on. The upgrade has to reach them, too, since SDK v2 has no `server.tool(…)`.
 */
function registeringFiles(
    concerned: ReadonlySet<string>,
    texts: ReadonlyMap<string, string>,
    graph: Importers
): Set<string> {
    const candidates = [...texts].filter(([path, text]) => !concerned.has(path) && registersOnServer(text));
    const found = new Set<string>();
    for (let more = true; more;) {
        const next = candidates.filter(
            ([path]) => !found.has(path) && graph.of(path).some(from => concerned.has(from) || found.has(from))
        );
        for (const [path] of next) found.add(path);
        more = next.length > 0;
    }
    return found;
}

const unreadableFolder = ([path, why]: [string, string]): Diagnostic => ({
    level: 'error',
    code: 'unreadable-folder',
    message: `${path} cannot be listed: ${why}. What is in it was left out; give the right to read it, or leave it out of the paths.`,
    file: path
});

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

/** More than anybody writes: what is larger was generated, and reading its types would take longer than all the rest. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

const tooLarge = ({ path }: SourceFile): Diagnostic => ({
    level: 'error',
    code: 'too-large',
    message: `${path} is larger than 2 MiB, which nobody writes by hand. It was left out; if it is generated, leave it out of the paths.`,
    file: path
});

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

/** The tsconfig that owns most of the files. */
function tsconfigOf({ files }: Discovery, loaded: ReadonlyMap<string, string>): string | undefined {
    const counts = new Map<string, number>();
    for (const { absolutePath, tsconfig } of files) {
        if (tsconfig !== undefined && loaded.has(absolutePath)) counts.set(tsconfig, (counts.get(tsconfig) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
