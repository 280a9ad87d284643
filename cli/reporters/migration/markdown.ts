import type { Diagnostic, SiteReport } from '../../../codemods/index.js';
import { byPosition } from '../order.js';
import type { MigrationOutcome, Reporter } from '../reporter.js';
import { count } from '../table.js';

/** A description for a pull request: what changed, what to look at, what is left. */
export const markdown: Reporter<MigrationOutcome> = ({ report, changes }) => {
    const { sites, diagnostics, summary } = report;
    const of = (status: SiteReport['status']): SiteReport[] =>
        sites.filter(site => site.status === status).sort(byPosition);
    const { migrated, review } = summary.byStatus;
    const errors = summary.typeErrors;
    const head = [
        '## MCP 2026-07-28',
        '',
        `${count(migrated + review, 'call')} of ${sites.length} to the client now ask through \`ctx.need\`, in ${count(changes.length, 'changed file')}. The server goes on serving 2025-era clients.`
    ];
    if (errors !== undefined) {
        head.push(
            '',
            `Type errors: ${errors.before} before, ${errors.afterSdkUpgrade} after the upgrade to SDK v2, ${errors.after} after the migration.`
        );
    }
    return [
        ...head,
        ...section('Please look at', of('review').map(siteLine)),
        ...section('Left to do by hand', [...of('manual').map(siteLine), ...entries(diagnostics)]),
        ...section('Not touched', of('skipped').map(siteLine)),
        ...section(
            'Packages',
            diagnostics
                .filter(({ code }) => code === 'manifest')
                .map(({ file, message }) => `\`${file ?? 'package.json'}\`: ${message}`)
        ),
        ''
    ].join('\n');
};

const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines.map(line => `- ${line}`)];

const siteLine = ({ file, line, api, reason }: SiteReport): string => `\`${file}:${line}\` \`${api}\`: ${reason}`;

const entries = (diagnostics: readonly Diagnostic[]): string[] =>
    diagnostics
        .filter(({ code }) => code === 'entry-left' || code === 'entry-unknown')
        .map(({ file, line, message }) => `\`${file ?? ''}${line === undefined ? '' : `:${line}`}\`: ${message}`);
