import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { commitChanges } from './files/commitChanges.js';
import type { CommitResult, FileChange } from './files/commitChanges.js';
import { loadProject } from './loadProject.js';
import type { LoadedProject } from './loadProject.js';
import { runPipeline } from './pipeline.js';
import type { PipelineResult } from './pipeline.js';
import type { EffectsPolicy } from './plan/decide.js';
import { schemaFiles } from './upgrade/schemaFiles.js';
import { upgradeManifests } from './upgrade/upgradeManifests.js';
import type { ManifestsResult } from './upgrade/upgradeManifests.js';
import { zod3Files } from './upgrade/zod3Files.js';
import type { Diagnostic, FileReport, MigrationReport, SiteKind, SiteReport, SiteStatus } from './report.js';

export { check } from './check/checkProject.js';
export type { CheckOptions, CheckResult } from './check/checkProject.js';
export type { CommitResult, FileChange } from './files/commitChanges.js';
export { NoSuchPackageError, NoSuchPathError } from './files/discover.js';
export type { EffectsPolicy } from './plan/decide.js';
export type * from './report.js';
export { rules } from './rules/index.js';
export type { Rule, RuleMeta } from './rules/rule.js';

export interface MigrateOptions {
    /** The working folder: paths are given and reported relative to it. */
    cwd: string;
    /** Files and folders; none means the working folder. */
    paths: string[];
    /** What to do where running a handler again would be noticed; `once` where nothing is said. */
    effects?: EffectsPolicy;
    /** Only the files of the package of this name. */
    package?: string;
}

export interface Migration {
    report: MigrationReport;
    /** What would be written; `commit` writes it. */
    changes: FileChange[];
    /** Files that were left out for an error. They are in `report.diagnostics` too. */
    failures: Diagnostic[];
}

/**
 * Plans a migration: reads the files under the paths and returns what would change and what becomes of every push call.
 * Writes nothing.
 * @throws NoSuchPathError, NoSuchPackageError
 */
export function migrate({ cwd, paths, effects, package: name }: MigrateOptions): Migration {
    const project = loadProject(cwd, paths, name === undefined ? {} : { packageName: name });
    if (project.files.size === 0) return { report: emptyReport(project), changes: [], failures: project.failures };
    const { raised } = project.zod;
    const schemas = raised.size > 0 ? schemaFiles(project.texts) : new Set<string>();
    const result = runPipeline({
        root: project.root,
        files: project.files,
        zod: project.zod,
        schemaFiles: schemas,
        packageOf: packageFolders(project),
        workspace: project.discovery.packages,
        readFile: path => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
        partial: paths.length > 0 || name !== undefined,
        ...(project.tsconfig === undefined ? {} : { tsconfig: project.tsconfig }),
        ...(effects === undefined ? {} : { effects })
    });
    const texts = new Map(result.texts);
    const others = new Map([...project.texts].filter(([path]) => !project.files.has(path) && raised.has(path)));
    for (const [path, text] of zod3Files({ files: others, schemaFiles: schemas })) texts.set(path, text);
    const packages = upgradeManifests({
        manifests: project.manifests,
        before: project.texts,
        after: new Map([...project.texts, ...texts])
    });
    for (const [path, { after }] of packages.manifests) texts.set(path, after);
    const diagnostics = [...project.failures, ...result.diagnostics, ...manifestDiagnostics(project, packages)];
    if (!result.sites.some(({ status }) => status === 'migrated' || status === 'review')) {
        return unchanged(project, result, diagnostics);
    }
    const changes = changesOf(project, texts);
    const failures = diagnostics.filter(({ level }) => level === 'error');
    return { report: reportOf(result, diagnostics, changes), changes, failures };
}

/** Where no call was rewritten there is nothing to come to SDK v2 for: a repository is not changed for its own sake. */
function unchanged(project: LoadedProject, result: PipelineResult, diagnostics: readonly Diagnostic[]): Migration {
    const failures = diagnostics.filter(({ level }) => level === 'error');
    const read = diagnostics.filter(({ code }) => code === 'tsconfig');
    const note: Diagnostic = {
        level: 'warning',
        code: 'nothing-migrated',
        message:
            'No call was rewritten, so nothing is changed: files and dependencies stay on the SDK that they are on. ' +
            'For the SDK alone: npx @modelcontextprotocol/codemod v1-to-v2.'
    };
    return { report: reportOf(result, [...failures, ...read, note], []), changes: [], failures };
}

/** The folder of the manifest that owns a file, the working folder where none does. */
function packageFolders({ root, discovery }: LoadedProject): (path: string) => string {
    const owners = new Map(discovery.files.map(({ absolutePath, manifest }) => [absolutePath, manifest]));
    return path => {
        const manifest = owners.get(path);
        return manifest === undefined ? root : dirname(manifest);
    };
}

/** Writes the changes, each group as a whole or not at all. */
export function commit(changes: FileChange[]): CommitResult {
    return commitChanges(changes);
}

/** What was done to each package.json, and what could not be. */
function manifestDiagnostics({ root }: LoadedProject, { manifests, diagnostics }: ManifestsResult): Diagnostic[] {
    const notes = [...manifests].flatMap(([file, { notes }]) =>
        notes.map((message): Diagnostic => ({ level: 'info', code: 'manifest', message, file }))
    );
    return [...diagnostics, ...notes].map(one =>
        one.file === undefined ? one : { ...one, file: relative(root, one.file).replace(/\\/g, '/') }
    );
}

function changesOf(
    { root, texts: originals, manifests, marked }: LoadedProject,
    texts: ReadonlyMap<string, string>
): FileChange[] {
    return [...texts]
        .map(([absolutePath, text]): FileChange => {
            const before = originals.get(absolutePath) ?? manifests.get(absolutePath);
            const mark = marked.has(absolutePath) ? '\uFEFF' : '';
            return {
                path: relative(root, absolutePath).replace(/\\/g, '/'),
                absolutePath,
                before: before === undefined ? undefined : mark + before,
                after: mark + text,
                group: 'migration'
            };
        })
        .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function reportOf(result: PipelineResult, diagnostics: Diagnostic[], changes: readonly FileChange[]): MigrationReport {
    return {
        version: 1,
        files: changes.map(({ path, absolutePath }): FileReport => ({
            path,
            changed: true,
            edits: result.editCounts.get(absolutePath) ?? 0
        })),
        sites: result.sites,
        diagnostics,
        summary: { ...summaryOf(result.sites), typeErrors: result.typeErrors }
    };
}

function emptyReport({ failures }: LoadedProject): MigrationReport {
    return { version: 1, files: [], sites: [], diagnostics: failures, summary: summaryOf([]) };
}

function summaryOf(sites: readonly SiteReport[]): Pick<MigrationReport['summary'], 'byStatus' | 'byKind'> {
    const byStatus: Record<SiteStatus, number> = { migrated: 0, review: 0, manual: 0, skipped: 0 };
    const byKind: Partial<Record<SiteKind, number>> = {};
    for (const { status, kind } of sites) {
        byStatus[status] += 1;
        byKind[kind] = (byKind[kind] ?? 0) + 1;
    }
    return { byStatus, byKind };
}
