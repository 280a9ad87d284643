import type { SiteReport, SiteStatus, TypeErrorCounts } from '../../../codemods/index.js';
import type { Palette } from '../../palette.js';
import { diagnosticLines } from '../diagnostics.js';
import { byCodeUnits, byPosition } from '../order.js';
import type { MigrationOutcome, Reporter } from '../reporter.js';
import { count, table } from '../table.js';

const STATUSES: SiteStatus[] = ['migrated', 'review', 'manual', 'skipped'];

/** The person's form: what changes, what became of the push calls, and every call that wants a look, with its reason. */
export const pretty: Reporter<MigrationOutcome> = (outcome, palette) =>
    [
        section('Files', fileLines(outcome, palette), palette),
        section('Push calls', siteLines(outcome.report.sites, palette), palette),
        section('Diagnostics', diagnosticLines(outcome.report.diagnostics, palette), palette),
        section('Type errors', typeErrorLines(outcome.report.summary.typeErrors, palette), palette)
    ]
        .filter(text => text !== '')
        .join('\n');

function section(title: string, lines: string[], palette: Palette): string {
    return lines.length === 0 ? '' : `${palette.bold(title)}\n${lines.map(line => `  ${line}\n`).join('')}`;
}

function fileLines({ report, changes }: MigrationOutcome, palette: Palette): string[] {
    const edits = new Map(report.files.map(file => [file.path, file.edits]));
    const rows = [...changes]
        .sort((a, b) => byCodeUnits(a.path, b.path))
        .map(({ path, before }) =>
            before === undefined ? ['new', path] : ['changed', path, whatChanges(path, edits.get(path) ?? 0)]
        );
    return table(rows, (cell, column) => (column === 1 ? cell : palette.dim(cell)));
}

/** A source file without edits of our own changes by the SDK upgrade alone. */
function whatChanges(path: string, edits: number): string {
    if (/(^|\/)package\.json$/.test(path)) return 'dependencies';
    return edits === 0 ? 'SDK upgrade' : count(edits, 'edit');
}

function siteLines(sites: readonly SiteReport[], palette: Palette): string[] {
    if (sites.length === 0) return [];
    const totals = STATUSES.map(status => [status, sites.filter(site => site.status === status).length] as const)
        .filter(([, number]) => number > 0)
        .map(([status, number]) => paintStatus(status, `${number} ${status}`, palette));
    const open = sites.filter(site => site.status !== 'migrated').sort(byPosition);
    const rows = open.map(({ file, line, column, kind, status, reason }) => [
        `${file}:${line}:${column}`,
        kind,
        status,
        reason
    ]);
    const lines = table(rows, (cell, column, row) =>
        column === 2 ? paintStatus(open[row]?.status ?? 'skipped', cell, palette) : cell
    );
    return [`${count(sites.length, 'call')}: ${totals.join(', ')}`, ...lines];
}

function paintStatus(status: SiteStatus, text: string, palette: Palette): string {
    if (status === 'migrated') return palette.green(text);
    if (status === 'review') return palette.yellow(text);
    return status === 'manual' ? palette.red(text) : palette.dim(text);
}

/** The SDK upgrade has errors of its own; what our edits add to them is the number that has to be none. */
function typeErrorLines(counts: TypeErrorCounts | undefined, palette: Palette): string[] {
    if (counts === undefined) return [];
    const added = counts.after - counts.afterSdkUpgrade;
    const verdict =
        added > 0 ? palette.red(`${added} added by the migration`) : palette.green('none added by the migration');
    return [
        `${counts.before} before, ${counts.afterSdkUpgrade} after the SDK upgrade alone, ${counts.after} after: ${verdict}`
    ];
}
