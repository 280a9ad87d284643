import { relative } from 'node:path';
import { fingerprints } from './check/fingerprints.js';
import { markersIn } from './check/markers.js';
import { suppressionsIn } from './check/suppressions.js';
import type { Suppression } from './check/suppressions.js';
import { isInComment } from './project/inspect/comments.js';
import { addCallers, inspectProject } from './project/inspect/inspectProject.js';
import type { Inspected, Place } from './project/inspect/inspectProject.js';
import { filesRead, openProject } from './project/open.js';
import type { OpenedProject } from './project/open.js';
import { isTestFile } from './project/syntax.js';
import type { Diagnostic, Finding } from './report.js';
import { messageOf } from './rules/lintRule.js';
import { lintRule } from './rules/lintRules.js';

export interface CheckInput {
    root: string;
    /** Absolute path → text of the files that may be of concern by themselves. */
    files: ReadonlyMap<string, string>;
    /** The other files of the project, of which those are read that lead to an ask. */
    others?: ReadonlyMap<string, string>;
    tsconfig?: string;
    /** Absolute paths of the files that are written for zod 3. */
    zod3?: ReadonlySet<string>;
    /** Name of each package of the project → its folder. */
    workspace?: ReadonlyMap<string, string>;
}

/** A suppression that suppresses nothing, as text to take out. */
export interface StaleSuppression {
    file: string;
    start: number;
    end: number;
}

export interface CheckedFiles {
    findings: Finding[];
    stale: StaleSuppression[];
    diagnostics: Diagnostic[];
    /** Absolute paths of files that were read from disk for their types. */
    read: string[];
}

/**
 * What every rule finds in the given files, in order of place: suppressed findings are marked, stale suppressions found.
 * The push calls are exactly those that the migration knows. Types are used where there are some, names where not.
 */
export function checkFiles({ root, files, others = new Map(), tsconfig, zod3, workspace }: CheckInput): CheckedFiles {
    const { project, diagnostics } = openProject({
        root,
        files,
        ...(tsconfig === undefined ? {} : { tsconfig }),
        ...(zod3 === undefined ? {} : { zod3 }),
        ...(workspace === undefined ? {} : { workspace })
    });
    const callers = [...addCallers(project, root, others)].map((path): [string, string] => [
        path,
        others.get(path) ?? ''
    ]);
    const all = new Map([...files, ...callers]);
    const found = findingsIn(project, root, all);
    return { ...found, diagnostics, read: filesRead(project).filter(path => !all.has(path)) };
}

/**
 * What is found in files of an opened project.
 *
 * @param files absolute path → text of the files that findings are wanted of.
 */
export function findingsIn(
    project: OpenedProject['project'],
    root: string,
    files: ReadonlyMap<string, string>
): Pick<CheckedFiles, 'findings' | 'stale'> {
    const paths = new Set(files.keys());
    const inspected: Inspected[] = inspectProject(project, root, paths);
    const suppressions: Suppression[] = [];
    const texts = new Map<string, string[]>();
    for (const [path, text] of files) {
        const file = relative(root, path).replace(/\\/g, '/');
        texts.set(file, text.split(/\r?\n/));
        const source = project.getSourceFile(path);
        if (source === undefined || isTestFile(file)) continue;
        suppressions.push(...suppressionsIn(file, text, offset => isInComment(source, offset)));
        for (const { line, column, endColumn, todo, offset } of markersIn(text)) {
            if (!isInComment(source, offset)) continue;
            inspected.push(
                bare('migration-marker', 'todo', { file, line, column, endLine: line, endColumn }, { todo })
            );
        }
    }
    const { allowed, stale } = applySuppressions(inspected, suppressions);
    const all = [...inspected, ...stale.map(staleness), ...suppressions.flatMap(withoutReason)].sort(byPlace);
    const findings = all.map(one => finding(one, allowed.get(one)));
    const prints = fingerprints(findings, (file, line) => texts.get(file)?.[line - 1] ?? '');
    return {
        findings: findings.map((one, index) => ({ ...one, fingerprint: prints[index] ?? '' })),
        stale: stale.map(({ file, start, end }) => ({ file, start, end }))
    };
}

function bare(rule: string, messageId: string, place: Place, data: Readonly<Record<string, string>> = {}): Inspected {
    const { file, line, column, endLine, endColumn } = place;
    return {
        rule,
        messageId,
        data,
        file,
        line,
        column,
        endLine,
        endColumn,
        suppressibleAt: [line, line - 1],
        related: []
    };
}

/** A comment allows what stands on its line, or in the statement below it. */
function applySuppressions(
    inspected: readonly Inspected[],
    suppressions: readonly Suppression[]
): { allowed: Map<Inspected, Suppression>; stale: Suppression[] } {
    const allowed = new Map<Inspected, Suppression>();
    const used = new Set<Suppression>();
    for (const one of inspected) {
        for (const suppression of suppressions) {
            if (suppression.file !== one.file || !one.suppressibleAt.includes(suppression.line)) continue;
            if (suppression.rule !== undefined && suppression.rule !== one.rule) continue;
            used.add(suppression);
            allowed.set(one, allowed.get(one) ?? suppression);
        }
    }
    return { allowed, stale: suppressions.filter(one => !used.has(one)) };
}

const staleness = (one: Suppression): Inspected => bare('unused-suppression', 'unused', { ...one, endLine: one.line });

const withoutReason = (one: Suppression): Inspected[] =>
    one.reason === ''
        ? [bare('unused-suppression', 'noReason', { ...one, endLine: one.line }, { rule: one.rule ?? '<rule>' })]
        : [];

function finding(one: Inspected, suppression: Suppression | undefined): Finding {
    const rule = lintRule(one.rule);
    if (rule === undefined) throw new Error(`no rule is called ${one.rule}`);
    return {
        rule: one.rule,
        messageId: one.messageId,
        file: one.file,
        line: one.line,
        column: one.column,
        endLine: one.endLine,
        endColumn: one.endColumn,
        level: one.level ?? rule.level,
        message: sentence(messageOf(rule, one.messageId, one.data)),
        related: one.related.map(({ text, ...place }) => ({ ...place, message: text })),
        fingerprint: '',
        ...(suppression === undefined ? {} : { suppressed: { reason: suppression.reason } })
    };
}

/** A capital at the start, unless a name stands there. */
const sentence = (text: string): string =>
    /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

function byPlace(a: Inspected, b: Inspected): number {
    if (a.file !== b.file) return a.file < b.file ? -1 : 1;
    return a.line - b.line || a.column - b.column || (a.rule < b.rule ? -1 : 1);
}
