import { relative } from 'node:path';
import type { Project } from 'ts-morph';
import { applyEdits } from './edits/applyEdits.js';
import type { Edit } from './edits/edit.js';
import { ImportRequests, lineSpan, removeOrphans } from './edits/imports.js';
import type { Facts, SiteFact } from './facts/facts.js';
import { decide } from './plan/decide.js';
import type { Decision, Judgement } from './plan/decide.js';
import { keysFor } from './plan/keys.js';
import { markerEdits } from './plan/markers.js';
import { runtimeModule } from './plan/runtimeModule.js';
import { Analysis } from './project/analysis.js';
import type { AnchoredSite, Candidate } from './project/analysis.js';
import { anchorOffset, insertAnchors, isBare, removeAnchors } from './project/anchors.js';
import { openProject } from './project/open.js';
import type { OpenedProject } from './project/open.js';
import { parseErrors } from './project/parseErrors.js';
import { findSites, ruleFor } from './project/sites.js';
import type { FoundSite } from './project/sites.js';
import { isTestFile } from './project/syntax.js';
import { countErrors, errorDifference, typeErrors } from './project/typeErrors.js';
import type { TypeErrors } from './project/typeErrors.js';
import type { Diagnostic, SiteReport, TypeErrorCounts } from './report.js';
import { rules } from './rules/index.js';
import type { Plan } from './rules/rule.js';
import { upgradeSdk } from './upgrade/upgradeSdk.js';
import { zod3Files } from './upgrade/zod3Files.js';

export interface PipelineInput {
    /** Absolute path of the project; paths in the report are relative to it. */
    root: string;
    /** Absolute path → text of every file to look at. */
    files: ReadonlyMap<string, string>;
    tsconfig?: string;
    /** Major version of zod that the project declares; SDK v2 needs 4. */
    zod?: 3 | 4;
    /** With zod 3: the files whose schemas reach the SDK and so become zod 4. */
    schemaFiles?: ReadonlySet<string>;
    /** Text of a file that is on disk and not in `files`. */
    readFile(path: string): string | undefined;
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

interface OriginalSite extends AnchoredSite {
    offset: number;
    bare: boolean;
    line: number;
    column: number;
    endLine: number;
    judgement: Judgement;
}

const GROUP = 'migration';

/**
 * The whole migration of one project, on texts: scan the original, mark the sites, upgrade the SDK, plan on the
 * upgraded text, edit, check. Reads no file but through `readFile` and the compiler; writes none.
 */
export function runPipeline(input: PipelineInput): PipelineResult {
    const open = (
        files: ReadonlyMap<string, string>,
        zod = input.zod
    ): { project: Project; diagnostics: Diagnostic[] } =>
        openProject({
            root: input.root,
            files,
            ...(input.tsconfig === undefined ? {} : { tsconfig: input.tsconfig }),
            ...(zod === undefined ? {} : { zod })
        });
    const paths = [...input.files.keys()];
    const original = open(input.files);
    const sites = scanOriginal(original.project, input);
    const before = typeErrors(original.project, input.root, paths);

    const upgrade = upgradeSdk({ files: withAnchors(input, sites) });
    if (input.zod === 3) keepZod3(upgrade.files, input.schemaFiles ?? new Set());
    // One project serves all three states: what they share (the libraries) is parsed once. Only a zod of another major
    // resolves differently.
    const upgraded = input.zod === 3 ? open(upgrade.files, 4) : withTexts(original, upgrade.files);
    const afterSdkUpgrade = typeErrors(upgraded.project, input.root, paths);
    const analysis = new Analysis(upgraded.project, input.root, sites);
    const planned = plan(analysis, sites);
    const { texts, editCounts, keys } = edit(planned.facts, planned.marks, upgrade.files, input);

    const diagnostics = [...original.diagnostics, ...upgrade.diagnostics.map(one => relativeTo(input.root, one))];
    const final = withTexts(upgraded, texts);
    const after = typeErrors(final.project, input.root, [...new Set([...paths, ...texts.keys()])]);
    diagnostics.push(...ownTypeErrors(after, afterSdkUpgrade));
    for (const [path, text] of texts) {
        const [broken] = parseErrors(text, path);
        if (broken === undefined) continue;
        // Our own fault, and nothing that a person could act on: refuse the file, loudly.
        throw new Error(
            `the migrated ${relative(input.root, path)} does not parse (line ${broken.line}: ${broken.message})`
        );
    }
    return {
        texts: onlyChanged(texts, input.files),
        sites: sites.map(site => siteReport(site, planned, keys, input.root)),
        editCounts,
        diagnostics,
        typeErrors: {
            before: countErrors(before),
            afterSdkUpgrade: countErrors(afterSdkUpgrade),
            after: countErrors(after)
        }
    };
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

/** Files that give no schema to the SDK keep the zod they were written for. */
function keepZod3(files: Map<string, string>, schemaFiles: ReadonlySet<string>): void {
    for (const [path, text] of zod3Files({ files, schemaFiles })) files.set(path, text);
}

function scanOriginal(project: Project, { root, files }: PipelineInput): OriginalSite[] {
    const sites: OriginalSite[] = [];
    for (const path of [...files.keys()].sort()) {
        const file = project.getSourceFile(path);
        if (file === undefined) continue;
        const test = isTestFile(relative(root, path).replace(/\\/g, '/'));
        for (const found of findSites(file)) {
            const { line, column } = file.getLineAndColumnAtPos(found.node.getStart());
            sites.push({
                id: `s${sites.length + 1}`,
                file: path,
                kind: found.kind,
                form: found.form,
                api: found.api,
                offset: anchorOffset(found),
                bare: isBare(found),
                line,
                column,
                endLine: found.node.getEndLineNumber(),
                judgement: judge(found, test)
            });
        }
    }
    return sites;
}

function judge({ ownership, kind }: FoundSite, test: boolean): Judgement {
    const byName = ownership.kind === 'name' || ownership.kind === 'typed';
    if (test) return { byName, skipped: 'it stands in a test' };
    if (ownership.kind === 'foreign') return { byName, skipped: 'it only has the name of an SDK method' };
    if (kind === 'complete') return { byName, unsupported: 'there is no completion notification on 2026-07-28' };
    if (kind === 'urlRequired') return { byName, unsupported: 'error -32042 does not exist on 2026-07-28' };
    return { byName };
}

function withAnchors({ files }: PipelineInput, sites: readonly OriginalSite[]): Map<string, string> {
    return new Map(
        [...files].map(([path, text]) => {
            const here = sites.filter(site => site.file === path && site.judgement.skipped === undefined);
            return [path, insertAnchors(text, here)];
        })
    );
}

interface Planned {
    decisions: Map<string, Decision>;
    candidates: Map<string, Candidate>;
    facts: Facts;
    /** Sites that stay as they are and get a comment. */
    marks: { fact: SiteFact; decision: Decision }[];
}

/** Decides, asks what the decision would take, and decides again without the sites for which that cannot be done. */
function plan(analysis: Analysis, sites: readonly OriginalSite[]): Planned {
    const judgements = new Map(sites.map(({ id, judgement }) => [id, judgement]));
    const candidates = new Map(analysis.candidates().map(candidate => [candidate.fact.id, candidate]));
    for (;;) {
        const decisions = decide([...candidates.values()], judgements);
        const selected = new Set(
            [...decisions].filter(([, { status }]) => status === 'migrated' || status === 'review').map(([id]) => id)
        );
        const { facts, problems } = analysis.facts(selected);
        if (problems.size === 0) {
            const marks = [...candidates.values()].flatMap(({ fact }) => {
                const decision = decisions.get(fact.id);
                return decision?.status === 'manual' ? [{ fact, decision }] : [];
            });
            return { decisions, candidates, facts, marks };
        }
        for (const [id, unsupported] of problems)
            judgements.set(id, { byName: false, ...judgements.get(id), unsupported });
    }
}

interface Edited {
    texts: Map<string, string>;
    editCounts: Map<string, number>;
    keys: Map<string, string>;
}

function edit(
    facts: Facts,
    marks: Planned['marks'],
    upgraded: ReadonlyMap<string, string>,
    input: PipelineInput
): Edited {
    const textOf = (file: string): string => upgraded.get(file) ?? '';
    const keys = keysFor(facts.sites, facts.functions);
    const edits = [...plannedEdits(facts, keys, textOf, input)];
    const marked = marks.map(({ fact, decision }) => ({ ...fact, reason: decision.reason }));
    edits.push(...markerEdits(marked, textOf, GROUP));
    const runtime =
        facts.sites.length > 0
            ? runtimeModule(facts, path => input.files.get(path) ?? input.readFile(path))
            : undefined;
    const texts = new Map<string, string>();
    const editCounts = new Map<string, number>();
    for (const [file, text] of upgraded) {
        const own = edits.filter(one => one.file === file);
        if (own.length > 0) editCounts.set(file, own.length);
        texts.set(file, removeAnchors(applyEdits(text, own)));
    }
    if (runtime?.text !== undefined) texts.set(runtime.path, runtime.text);
    return { texts, editCounts, keys };
}

function plannedEdits(
    facts: Facts,
    keys: ReadonlyMap<string, string>,
    textOf: (file: string) => string,
    input: PipelineInput
): Edit[] {
    const functions = new Map(facts.functions.map(fact => [fact.id, fact]));
    const imports = new ImportRequests();
    const context: Plan = {
        facts,
        keys,
        contextOf: id => functions.get(id ?? '')?.parameter.name ?? 'ctx',
        functionById: id => functions.get(id ?? ''),
        imports,
        group: GROUP
    };
    const active = facts.sites.length > 0 ? rules : rules.filter(({ meta }) => meta.id === 'stdio-entry');
    const edits = active.flatMap(rule => rule.plan(context)).map(one => wholeLines(one, textOf(one.file)));
    if (facts.sites.length > 0) importRuntime(facts, imports, input);
    const orphans = facts.modules.flatMap(fact => removeOrphans(fact, edits, textOf(fact.file), 'imports', GROUP));
    return [...edits, ...orphans, ...imports.edits(facts.modules, 'imports', GROUP)];
}

function importRuntime(facts: Facts, imports: ImportRequests, input: PipelineInput): void {
    const runtime = runtimeModule(facts, path => input.files.get(path) ?? input.readFile(path));
    if (runtime === undefined) return;
    for (const { file, attached } of facts.servers) if (!attached) imports.add(file, runtime.path, 'attach');
    for (const { file, wrapped } of facts.handlers) if (!wrapped) imports.add(file, runtime.path, 'resumable');
}

/** A statement that goes takes its line with it. */
function wholeLines(edit: Edit, text: string): Edit {
    return edit.text === '' && edit.end > edit.start ? { ...edit, ...lineSpan(text, edit) } : edit;
}

function siteReport(site: OriginalSite, planned: Planned, keys: ReadonlyMap<string, string>, root: string): SiteReport {
    const decision = planned.decisions.get(site.id) ?? { status: 'skipped', reason: site.judgement.skipped ?? '' };
    const rewritten = decision.status === 'migrated' || decision.status === 'review';
    const key = keys.get(site.id);
    const handlers = planned.candidates.get(site.id)?.handlers ?? [];
    return {
        id: site.id,
        file: posix(relative(root, site.file)),
        line: site.line,
        column: site.column,
        endLine: site.endLine,
        kind: site.kind,
        api: site.api,
        status: decision.status,
        rule: ruleFor(site.kind, site.form),
        reason: decision.reason,
        ...(rewritten && key !== undefined ? { key, mode: 'replay' as const, group: GROUP } : {}),
        reach: handlers.map(({ label }) => ({ handler: label, status: decision.status }))
    };
}

const posix = (path: string): string => path.replace(/\\/g, '/');

function relativeTo(root: string, diagnostic: Diagnostic): Diagnostic {
    return diagnostic.file === undefined ? diagnostic : { ...diagnostic, file: posix(relative(root, diagnostic.file)) };
}

/** Type errors that our edits brought: none of them is hidden, and each says what it is. */
function ownTypeErrors(after: TypeErrors, afterSdkUpgrade: TypeErrors): Diagnostic[] {
    // The upgrade's own errors may read differently afterwards, because types print differently: those are not ours.
    const reworded = errorDifference(afterSdkUpgrade, after).map(({ path, code }) => `${path} ${code}`);
    const added = errorDifference(after, afterSdkUpgrade).filter(({ path, code }) => {
        const index = reworded.indexOf(`${path} ${code}`);
        if (index >= 0) reworded.splice(index, 1);
        return index < 0;
    });
    return added.map(({ path, code, message }) => ({
        level: 'warning',
        code: 'type-error',
        message: `TS${code}: ${message} (new with this migration)`,
        file: path
    }));
}

function onlyChanged(texts: ReadonlyMap<string, string>, files: ReadonlyMap<string, string>): Map<string, string> {
    return new Map([...texts].filter(([path, text]) => files.get(path) !== text));
}
