import { dirname, sep } from 'node:path';
import type { Diagnostic } from '../report.js';
import { importedPackages } from './importedPackages.js';
import {
    declaredPackages,
    editSection,
    ManifestSyntaxError,
    SECTIONS,
    type Declared,
    type Section
} from './manifestText.js';
import { COMPANIONS, packageRanges, SDK_V1 } from './packageRanges.js';
import { judgeZodRange } from './ranges.js';

export interface ManifestsInput {
    /** Absolute path of each package.json → text. */
    manifests: ReadonlyMap<string, string>;
    /** Absolute path → text as it was, of every source file that the manifests own, changed or not. */
    before: ReadonlyMap<string, string>;
    /** The same files and new ones, with their final texts. */
    after: ReadonlyMap<string, string>;
    /** `--keep-zod`: leave the range of zod alone. */
    keepZod?: boolean;
}

export interface ManifestChange {
    before: string;
    after: string;
    /** What was done, a sentence each, for people. */
    notes: string[];
}

export interface ManifestsResult {
    /** Only those that change. */
    manifests: Map<string, ManifestChange>;
    /** `manifest` (cannot be read) and `zod-raised`; `file` is the path as given. */
    diagnostics: Diagnostic[];
}

/**
 * The package.json of migrated files. A package that a file imports and nobody declares is missing after the next
 * install, so what is added follows from the imports that are new, and SDK v1 goes when no file names it any more. A
 * workspace member that declares no SDK gets it from the manifest above that does; so do its new packages.
 */
export function upgradeManifests({ manifests, before, after, keepZod = false }: ManifestsInput): ManifestsResult {
    const diagnostics: Diagnostic[] = [];
    const owners = [...manifests].flatMap(([path, text]) => readManifest(path, text, diagnostics) ?? []);
    collectImports(before, owners, owner => owner.before);
    collectImports(after, owners, owner => owner.after);

    for (const owner of owners) addNewImports(owner, homeOf(owner, owners));
    for (const owner of owners.filter(isUpgraded)) declareZod(owner, homeOf(owner, owners));
    for (const [path, text] of after) {
        const owner = usesNode(path, text, before) ? nearest(path, owners) : undefined;
        if (owner !== undefined) declareNodeTypes(owner, owners);
    }
    for (const owner of owners)
        removeV1(
            owner,
            owners.filter(other => homeOf(other, owners) === owner)
        );
    if (!keepZod) {
        for (const owner of owners.filter(isUpgraded)) {
            for (const place of new Set([owner, homeOf(owner, owners)])) raiseZod(place, diagnostics);
        }
    }
    const changed = owners.filter(({ text, original }) => text !== original);
    return {
        manifests: new Map(
            changed.map(({ path, original, text, notes }) => [path, { before: original, after: text, notes }])
        ),
        diagnostics
    };
}

interface Owner {
    path: string;
    original: string;
    /** With the edits so far. */
    text: string;
    declared: Declared;
    /** Packages that its files imported. */
    before: Set<string>;
    /** Packages that its files import now. */
    after: Set<string>;
    notes: string[];
}

function readManifest(path: string, text: string, diagnostics: Diagnostic[]): Owner | undefined {
    try {
        const declared = declaredPackages(text);
        return { path, original: text, text, declared, before: new Set(), after: new Set(), notes: [] };
    } catch (error) {
        if (!(error instanceof ManifestSyntaxError)) throw error;
        diagnostics.push({
            level: 'error',
            code: 'manifest',
            message: `package.json cannot be read (${error.message}). Declare the packages that the migrated files import by hand.`,
            file: path
        });
        return undefined;
    }
}

function collectImports(
    files: ReadonlyMap<string, string>,
    owners: readonly Owner[],
    of: (owner: Owner) => Set<string>
): void {
    for (const [path, text] of files) {
        const owner = nearest(path, owners);
        if (owner) for (const name of importedPackages(text)) of(owner).add(name);
    }
}

/** The manifest in the deepest folder above a path. */
function nearest(path: string, owners: readonly Owner[]): Owner | undefined {
    return owners
        .filter(owner => path !== owner.path && path.startsWith(dirname(owner.path) + sep))
        .sort((a, b) => b.path.length - a.path.length)[0];
}

/** Where the SDK of a package is declared: by itself, else by a manifest above. */
function homeOf(owner: Owner, owners: readonly Owner[]): Owner {
    if (declaresSdk(owner)) return owner;
    return (
        nearest(
            dirname(owner.path),
            owners.filter(other => other !== owner && declaresSdk(other))
        ) ?? owner
    );
}

function declaresSdk({ declared }: Owner): boolean {
    return SECTIONS.some(section =>
        [...declared[section].keys()].some(name => name.startsWith('@modelcontextprotocol/'))
    );
}

function addNewImports(owner: Owner, home: Owner): void {
    const ranges = packageRanges();
    const imported = [...owner.after].filter(name => !owner.before.has(name) && ranges.has(name));
    const wanted = new Set(imported.flatMap(name => [name, ...(COMPANIONS.get(name) ?? [])]));
    for (const name of [...wanted].sort()) {
        const range = ranges.get(name);
        if (range === undefined || isDeclared(name, owner) || isDeclared(name, home)) continue;
        for (const section of sectionsFor(name, home)) edit(home, section, name, range);
        home.notes.push(`added ${name} ${range}`);
    }
}

/** What SDK v1 brought along: a zod that files import and nobody declares. */
function declareZod(owner: Owner, home: Owner): void {
    const range = packageRanges().get('zod');
    if (range === undefined || !owner.after.has('zod') || isDeclared('zod', owner) || isDeclared('zod', home)) return;
    for (const section of sectionsFor('zod', home)) edit(home, section, 'zod', range);
    home.notes.push(`added zod ${range}, which came with ${SDK_V1} before`);
}

/** The runtime module that a migration writes reads `process.env`; in TypeScript that needs the types of Node. */
function declareNodeTypes(owner: Owner, owners: readonly Owner[]): void {
    const above = owners.filter(({ path }) => owner.path.startsWith(dirname(path)));
    const range = packageRanges().get(NODE_TYPES);
    if (range === undefined || above.some(one => isDeclared(NODE_TYPES, one))) return;
    edit(owner, 'devDependencies', NODE_TYPES, range);
    owner.notes.push(`added ${NODE_TYPES} ${range} for the module that reads MCP_STATE_KEY`);
}

const NODE_TYPES = '@types/node';

/** Whether a file is a new one in TypeScript that uses the globals of Node. */
function usesNode(path: string, text: string, before: ReadonlyMap<string, string>): boolean {
    return !before.has(path) && /\.[cm]?ts$/.test(path) && text.includes('process.env');
}

function isDeclared(name: string, { declared }: Owner): boolean {
    return SECTIONS.some(section => declared[section].has(name));
}

/** SDK v2 where SDK v1 stands; the rest where it is installed with the package. */
function sectionsFor(name: string, { declared }: Owner): Section[] {
    const v1 = SECTIONS.filter(section => declared[section].has(SDK_V1));
    if (name.startsWith('@modelcontextprotocol/') && v1.length > 0) return v1;
    return v1.length === 1 && v1[0] === 'devDependencies' ? v1 : ['dependencies'];
}

function removeV1(owner: Owner, members: readonly Owner[]): void {
    const sections = SECTIONS.filter(section => owner.declared[section].has(SDK_V1));
    if (sections.length === 0 || !members.some(({ before }) => before.has(SDK_V1))) return;
    if (members.some(({ after }) => after.has(SDK_V1))) {
        owner.notes.push(`kept ${SDK_V1}, which some files still import`);
        return;
    }
    for (const section of sections) edit(owner, section, SDK_V1, undefined);
    owner.notes.push(`removed ${SDK_V1}`);
}

/** Its files came to SDK v2 in this run. */
function isUpgraded({ before, after }: Owner): boolean {
    return [...after].some(name => V2.test(name) && !before.has(name));
}
const V2 = /^@modelcontextprotocol\/(?:server|client)$/;

function raiseZod(owner: Owner, diagnostics: Diagnostic[]): void {
    for (const section of SECTIONS) {
        const range = owner.declared[section].get('zod');
        const wanted = packageRanges().get('zod');
        if (range === undefined || wanted === undefined) continue;
        const verdict = judgeZodRange(range);
        if (verdict === 'below' && !owner.notes.some(note => note.startsWith('raised zod'))) {
            owner.notes.push(`raised zod ${range} to ${wanted}`);
            diagnostics.push({
                level: 'info',
                code: 'zod-raised',
                message: `zod ${range} became ${wanted}: SDK v2 cannot list tools whose schemas are of an older one.`,
                file: owner.path
            });
        }
        if (verdict === 'below') edit(owner, section, 'zod', wanted);
        if (verdict === 'unknown') owner.notes.push(`zod is declared as ${range}; SDK v2 needs ${wanted}`);
    }
}

function edit(owner: Owner, section: Section, name: string, range: string | undefined): void {
    owner.text = editSection(owner.text, section, new Map([[name, range]]));
}
