import { relative } from 'node:path';
import { applyEdits } from './edits/applyEdits.js';
import { editAndCheck } from './plan/editAndCheck.js';
import { GROUP } from './plan/makeEdits.js';
import type { EditInput } from './plan/makeEdits.js';
import type { EffectsPolicy } from './plan/decide.js';
import { planMigration } from './plan/planMigration.js';
import type { Planned } from './plan/planMigration.js';
import { blockedEntries, unservedServers } from './plan/entries.js';
import type { LineOf } from './plan/entries.js';
import { workerProblems } from './plan/workers.js';
import { findLifecycles, LIFECYCLE_RULES } from './project/lifecycle/findLifecycles.js';
import type { LifecycleChange } from './project/lifecycle/change.js';
import { scanSites } from './project/scanSites.js';
import type { OriginalSite } from './project/scanSites.js';
import { siteReports } from './plan/siteReports.js';
import { Analysis } from './project/analysis.js';
import { insertAnchors } from './project/anchors.js';
import { openProject } from './project/open.js';
import type { OpenedProject } from './project/open.js';
import { ownTypeErrors, upgradeTypeErrors } from './project/ownTypeErrors.js';
import { parseErrors } from './project/parseErrors.js';
import { countErrors, typeErrors } from './project/typeErrors.js';
import type { Diagnostic, SiteReport, TypeErrorCounts } from './report.js';
import { originalLines } from './upgrade/restoreLines.js';
import { upgradeSdk } from './upgrade/upgradeSdk.js';
import { zod3Files } from './upgrade/zod3Files.js';
import type { ZodVersions } from './upgrade/zodVersions.js';

export interface PipelineInput {
    /** Absolute path of the project; paths in the report are relative to it. */
    root: string;
    /** Absolute path → text of every file to look at. */
    files: ReadonlyMap<string, string>;
    tsconfig?: string;
    /** The files that are written for zod 3; none where nothing is said. SDK v2 needs 4. */
    zod?: ZodVersions;
    /** The files whose schemas reach the SDK and so become zod 4, if they are not on it. */
    schemaFiles?: ReadonlySet<string>;
    /** Name of each package of the project → its folder, so that packages can import one another without an install. */
    workspace?: ReadonlyMap<string, string>;
    /** What to do where running a handler again would be noticed; `once` where nothing is said. */
    effects?: EffectsPolicy;
    /** The folder of the package that a file belongs to. */
    packageOf: (path: string) => string;
    /** Text of a file that is on disk and not in `files`. */
    readFile: (path: string) => string | undefined;
    /** Not everything was asked for: what is beside `files` may be part of the same programs. */
    partial?: boolean;
}

export interface PipelineResult {
    /** Text after the migration, for files that changed and files that are new. */
    texts: Map<string, string>;
    sites: SiteReport[];
    /** Our own edits per file. */
    editCounts: Map<string, number>;
    diagnostics: Diagnostic[];
    typeErrors: TypeErrorCounts;
}

/**
 * The whole migration of one project, on texts: scan the original, mark the sites, upgrade the SDK, plan on the
 * upgraded text, edit, check. Reads no file but through `readFile` and the compiler; writes none.
 */
export function runPipeline(input: PipelineInput): PipelineResult {
    const { root, files, packageOf } = input;
    const paths = [...files.keys()];
    const { zod3, raised } = input.zod ?? { zod3: new Set<string>(), raised: new Set<string>() };
    const original = open(input, files, zod3);
    const names = new Map([...(input.workspace ?? [])].map(([name, folder]) => [folder, name]));
    const sites = scanSites(original.project, root, paths, path => names.get(packageOf(path)));
    const before = typeErrors(original.project, root, paths);

    const upgrade = upgradeSdk({ files: withAnchors(files, sites) });
    keepZod3(upgrade.files, raised, input.schemaFiles ?? new Set());
    // One project serves all three states: what they share (the libraries) is parsed once. Only a zod of another major
    // resolves differently.
    const kept = new Set([...zod3].filter(path => !raised.has(path)));
    const upgraded = raised.size > 0 ? open(input, upgrade.files, kept) : withTexts(original, upgrade.files);
    const afterSdkUpgrade = typeErrors(upgraded.project, root, paths);

    const lineBefore = linesOf(files);
    const planned = planWithLifecycles({ ...input, lineBefore }, upgraded, sites);
    for (const [path, text] of planned.texts) upgrade.files.set(path, text);
    const edits: EditInput = {
        facts: planned.facts,
        parked: planned.parked,
        left: planned.manual.map(({ fact }) => fact),
        marked: planned.manual.map(({ fact, reason }) => ({ ...fact, reason })),
        upgraded: upgrade.files,
        packageOf,
        nodeGlobals: original.nodeGlobals,
        textOf: path => files.get(path) ?? input.readFile(path)
    };
    const { edited, after } = editAndCheck(
        edits,
        ({ texts }) => {
            assertParses(texts, root);
            const final = withTexts(upgraded, texts);
            return typeErrors(final.project, root, new Set([...paths, ...texts.keys()]));
        },
        errors => ownTypeErrors(errors, afterSdkUpgrade),
        { root, castable: castableSites(sites) }
    );
    return {
        texts: new Map([...edited.texts].filter(([path, text]) => files.get(path) !== text)),
        sites: siteReports(sites, planned, edited.keys, root),
        editCounts: edited.counts,
        diagnostics: [
            ...original.diagnostics,
            ...upgrade.diagnostics.map(one => relativeTo(root, one)),
            ...[
                ...blockedEntries(planned.facts, lineIn(upgrade.files, lineBefore)),
                ...unservedServers(planned.facts, edited.texts, lineIn(upgrade.files, lineBefore))
            ].map(one => relativeTo(root, one)),
            ...workerProblems({ ...planned, ...edited, packageOf, readFile: input.readFile }).map(
                ({ at, ...problem }): Diagnostic =>
                    relativeTo(root, {
                        ...problem,
                        level: 'warning',
                        line: lineIn(upgrade.files, lineBefore)(problem.file, at)
                    })
            ),
            ...upgradeTypeErrors(afterSdkUpgrade, before),
            ...ownTypeErrors(after, afterSdkUpgrade)
        ],
        typeErrors: {
            before: countErrors(before),
            afterSdkUpgrade: countErrors(afterSdkUpgrade),
            after: countErrors(after)
        }
    };
}

/**
 * Plans on the text in which what the server did at the handshake is part of the requests. A change there is taken back
 * where none of its asks can be rewritten in the end, and the plan is made again.
 */
function planWithLifecycles(
    input: PipelineInput & { lineBefore: LineBefore },
    upgraded: OpenedProject,
    sites: readonly OriginalSite[]
): Planned & { texts: Map<string, string> } {
    const before = new Map<string, string>();
    const refused = new Set<string | undefined>();
    for (;;) {
        const changes: LifecycleChange[] = [];
        const left = new Map<string, string>();
        const texts = new Map(before);
        for (const rule of LIFECYCLE_RULES) {
            const found = findLifecycles(upgraded.project, input, sites, rule, GROUP);
            const chosen = found.changes.filter(({ id }) => !refused.has(id));
            changes.push(...chosen);
            for (const [id, why] of found.left) left.set(id, why);
            const edits = chosen.flatMap(change => change.edits);
            for (const file of new Set(edits.map(edit => edit.file))) {
                const text = upgraded.project.getSourceFile(file)?.getFullText() ?? '';
                if (!before.has(file)) before.set(file, text);
                const own = edits.filter(edit => edit.file === file);
                texts.set(file, applyEdits(text, own));
            }
            withTexts(upgraded, texts);
        }
        const dropped = new Set(changes.flatMap(change => change.dropped));
        const open = sites.filter(({ id }) => !dropped.has(id));
        const planned = planMigration(
            new Analysis(upgraded.project, input, open),
            open,
            input.effects ?? 'once',
            input.root
        );
        const rewritten = (id: string): boolean =>
            ['migrated', 'review'].includes(planned.decisions.get(id)?.status ?? '');
        const failed = changes.filter(change => !change.sites.some(rewritten));
        if (failed.length === 0) {
            noteLifecycles(planned, changes, left);
            return { ...planned, texts };
        }
        for (const { id } of failed) refused.add(id);
        withTexts(upgraded, before);
    }
}

function noteLifecycles(
    { decisions }: Planned,
    changes: readonly LifecycleChange[],
    left: ReadonlyMap<string, string>
): void {
    for (const { sites, dropped, note } of changes) {
        for (const id of dropped) decisions.set(id, { status: 'review', reason: `dropped: ${note}` });
        for (const id of sites) {
            const decision = decisions.get(id);
            if (decision?.status !== 'migrated' && decision?.status !== 'review') continue;
            const reason = [note, decision.reason].filter(text => text !== '').join('; ');
            decisions.set(id, { ...decision, status: 'review', reason });
        }
    }
    for (const [id, why] of left) {
        const decision = decisions.get(id);
        if (decision?.status === 'manual') decisions.set(id, { ...decision, reason: `${decision.reason}; ${why}` });
    }
}

function open(
    { root, tsconfig, workspace }: PipelineInput,
    files: ReadonlyMap<string, string>,
    zod3: ReadonlySet<string>
): OpenedProject {
    return openProject({
        root,
        files,
        zod3,
        ...(tsconfig === undefined ? {} : { tsconfig }),
        ...(workspace === undefined ? {} : { workspace })
    });
}

/** The project with other texts. Nodes that were taken from it before are gone. */
function withTexts(opened: OpenedProject, texts: ReadonlyMap<string, string>): OpenedProject {
    for (const [path, text] of texts) {
        const file = opened.project.getSourceFile(path);
        if (file?.getFullText() === text) continue;
        // Replacing the text of a file would give every line the line break of the platform.
        file?.forget();
        opened.project.createSourceFile(path, text, { overwrite: true });
    }
    return opened;
}

function withAnchors(files: ReadonlyMap<string, string>, sites: readonly OriginalSite[]): Map<string, string> {
    return new Map(
        [...files].map(([path, text]) => {
            const here = sites.filter(
                ({ file, judgement }) => file === path && (judgement.skipped === undefined || judgement.ignored)
            );
            return [path, insertAnchors(text, here)];
        })
    );
}

/** Files that give no schema to the SDK keep the zod they were written for. */
function keepZod3(files: Map<string, string>, raised: ReadonlySet<string>, schemaFiles: ReadonlySet<string>): void {
    const concerned = new Map([...files].filter(([path]) => raised.has(path)));
    for (const [path, text] of zod3Files({ files: concerned, schemaFiles })) files.set(path, text);
}

/** An interface of the project's own says what these take, or nobody does. JavaScript has no casts. */
function castableSites(sites: readonly OriginalSite[]): Set<string> {
    const typed = sites.filter(({ file, judgement }) => judgement.byName && !/\.[cm]?jsx?$/.test(file));
    return new Set(typed.map(({ id }) => id));
}

/** A text that does not parse is our own fault and nothing that a person could act on: nothing is written then. */
function assertParses(texts: ReadonlyMap<string, string>, root: string): void {
    for (const [path, text] of texts) {
        const [broken] = parseErrors(text, path);
        if (broken === undefined) continue;
        throw new Error(`the migrated ${relative(root, path)} does not parse (line ${broken.line}: ${broken.message})`);
    }
}

/** Lines of the original text, for lines of a text that was made of it. */
function linesOf(before: ReadonlyMap<string, string>): LineBefore {
    const known = new Map<string, { text: string; lines: (line: number) => number }>();
    return (path, text, line) => {
        let found = known.get(path);
        if (found?.text !== text) {
            found = { text, lines: originalLines(before.get(path) ?? text, text) };
            known.set(path, found);
        }
        return found.lines(line);
    };
}

/** Lines of the original text, for offsets into the upgraded one. */
function lineIn(upgraded: ReadonlyMap<string, string>, lineBefore: LineBefore): LineOf {
    return (file, offset) => {
        const text = upgraded.get(file) ?? '';
        return lineBefore(file, text, text.slice(0, offset).split('\n').length);
    };
}

type LineBefore = (path: string, text: string, line: number) => number;

function relativeTo(root: string, diagnostic: Diagnostic): Diagnostic {
    const { file } = diagnostic;
    return file === undefined ? diagnostic : { ...diagnostic, file: relative(root, file).replace(/\\/g, '/') };
}
