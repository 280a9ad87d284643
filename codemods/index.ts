import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { checkFiles } from './checkFiles.js';
import { commitChanges } from './files/commitChanges.js';
import type { CommitResult, FileChange } from './files/commitChanges.js';
import { loadProject } from './loadProject.js';
import type { LoadedProject } from './loadProject.js';
import { runPipeline } from './pipeline.js';
import type { PipelineResult } from './pipeline.js';
import type { Diagnostic, FileReport, Finding, MigrationReport, SiteKind, SiteReport, SiteStatus } from './report.js';

export type { CommitResult, FileChange } from './files/commitChanges.js';
export { NoSuchPathError } from './files/discover.js';
export type * from './report.js';
export { rules } from './rules/index.js';
export type { Rule, RuleMeta } from './rules/rule.js';

export interface MigrateOptions {
    /** The working folder: paths are given and reported relative to it. */
    cwd: string;
    /** Files and folders; none means the working folder. */
    paths: string[];
}

export interface Migration {
    report: MigrationReport;
    /** What would be written; `commit` writes it. */
    changes: FileChange[];
    /** Files that were left out for an error. They are in `report.diagnostics` too. */
    failures: Diagnostic[];
}

export interface CheckResult {
    findings: Finding[];
    failures: Diagnostic[];
}

/**
 * Plans a migration: reads the files under the paths and returns what would change and what becomes of every push call.
 * Writes nothing.
 * @throws NoSuchPathError
 */
export function migrate({ cwd, paths }: MigrateOptions): Migration {
    const project = loadProject(cwd, paths, 'callers');
    if (project.files.size === 0) return { report: emptyReport(project), changes: [], failures: project.failures };
    const result = runPipeline({
        root: project.root,
        files: project.files,
        readFile: path => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
        ...(project.tsconfig === undefined ? {} : { tsconfig: project.tsconfig })
    });
    const changes = changesOf(project, result);
    const failures = [...project.failures, ...result.diagnostics.filter(({ level }) => level === 'error')];
    return { report: reportOf(project, result, changes), changes, failures };
}

/** Writes the changes, each group as a whole or not at all. */
export function commit(changes: FileChange[]): CommitResult {
    return commitChanges(changes);
}

/**
 * Finds every push call that `migrate` knows.
 * @throws NoSuchPathError
 */
export function check({ cwd, paths }: MigrateOptions): CheckResult {
    const project = loadProject(cwd, paths, 'gated');
    const { findings } = checkFiles({
        root: project.root,
        files: project.files,
        ...(project.tsconfig === undefined ? {} : { tsconfig: project.tsconfig })
    });
    return { findings, failures: project.failures };
}

function changesOf({ root, files, marked }: LoadedProject, { texts }: PipelineResult): FileChange[] {
    return [...texts]
        .map(([absolutePath, text]): FileChange => {
            const before = files.get(absolutePath);
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

function reportOf(project: LoadedProject, result: PipelineResult, changes: readonly FileChange[]): MigrationReport {
    return {
        version: 1,
        files: changes.map(({ path, absolutePath }): FileReport => ({
            path,
            changed: true,
            edits: result.editCounts.get(absolutePath) ?? 0
        })),
        sites: result.sites,
        diagnostics: [...project.failures, ...result.diagnostics],
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
