import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type {
    CommitResult,
    Diagnostic,
    EffectsPolicy,
    FileChange,
    Migration,
    SiteReport
} from '../../codemods/index.js';
import { ExitCode } from '../exitCodes.js';
import { assertCleanGitTree } from '../gitTree.js';
import { diff } from '../reporters/migration/diff.js';
import { json } from '../reporters/migration/json.js';
import { failureLines } from '../reporters/failures.js';
import { palette } from '../palette.js';
import { markdown } from '../reporters/migration/markdown.js';
import { pretty } from '../reporters/migration/pretty.js';
import { count } from '../reporters/table.js';
import type { CommonOptions, Session } from '../session.js';
import { resolveTarget, type Target } from '../target.js';
import { UsageError } from '../usageError.js';

interface MigrateFlags extends CommonOptions {
    write?: true;
    check?: true;
    diff?: true;
    json?: true;
    allowDirty?: true;
    effects?: EffectsPolicy;
    package?: string;
    summary?: string;
}

const EXIT_CODES = `
Exit codes:
  0   done, nothing to do, or dry run shown
  2   --check, and files would change
  3   wrong usage or configuration, or a dirty git tree without --allow-dirty
  4   some files failed or were skipped for an error (named)
  70  a bug in mcp-mrtr

Examples:
  mcp-mrtr migrate                    show what would change in this folder
  mcp-mrtr migrate --diff src         print the change as a patch
  mcp-mrtr migrate --write            apply it
  mcp-mrtr migrate --json | jq .sites what became of every push call`;

export function defineMigrate(program: Command, session: Session): void {
    program
        .command('migrate')
        .summary('rewrite push-style server code into ctx.need calls (dry run by default)')
        .description(
            'Rewrites elicitInput, createMessage, listRoots and their low-level forms into ctx.need calls that work on ' +
                'protocol revision 2026-07-28 and on the revisions before it. Writes nothing without --write.'
        )
        .argument('[paths...]', 'files or folders to migrate', undefined)
        .optionsGroup('What to do:')
        .addOption(new Option('--write', 'apply the changes: all files of a group or none').conflicts('check'))
        .option('--check', 'for CI: write nothing, exit 2 if files would change')
        .option('--allow-dirty', 'write although the git tree has uncommitted changes')
        .addOption(
            new Option(
                '--effects <how>',
                'what must not happen again in every round: run it once per call (and wait in memory where that cannot be), wait in memory, or leave the call to you'
            )
                .choices(['once', 'park', 'mark'])
                .default('once')
        )
        .option('--package <name>', 'only the files of this package of the workspace')
        .optionsGroup('Output:')
        .option('--diff', 'print a patch on stdout (for git apply); the summary goes to stderr')
        .addOption(new Option('--json', 'print the report as one JSON document on stdout').conflicts('diff'))
        .option('--summary <file>', 'write a description of the migration for a pull request, in Markdown')
        .addHelpText('after', EXIT_CODES)
        .action(async (paths: string[], _flags: unknown, command: Command) => {
            await migrate(session, paths, command.optsWithGlobals<MigrateFlags>());
        });
}

async function migrate(session: Session, paths: string[], flags: MigrateFlags): Promise<void> {
    const target = resolveTarget(session.surroundings.cwd, flags.cwd, paths);
    const summary = flags.summary === undefined ? undefined : resolve(target.cwd, flags.summary);
    if (summary !== undefined) assertCanWrite(summary);
    if (flags.write && !flags.allowDirty) assertCleanGitTree(target);
    const codemod = await session.surroundings.loadCodemod();
    const migration = codemod.migrate({
        ...target,
        ...(flags.effects && { effects: flags.effects }),
        ...(flags.package !== undefined && { package: flags.package })
    });
    const commit = flags.write ? codemod.commit(migration.changes) : undefined;
    const outcome = withFailures(commit ? withoutRefused(migration, commit) : migration);

    if (flags.json) session.data(palette => json(outcome, palette), flags);
    else if (flags.diff) {
        session.data(palette => diff(outcome, palette), flags);
        session.talk(palette => pretty(outcome, palette), flags);
    } else session.data(palette => pretty(outcome, palette), flags);

    session.talk(palette => failureLines(outcome.failures, flags.json === true, palette), flags);
    session.talk(() => nextSteps(outcome, target, paths, flags), flags);
    if (summary !== undefined) writeFileSync(summary, markdown(outcome, palette(false)));
    session.exitCode = exitCode(outcome, flags);
}

/** Looked at before anything is written: a migration without the summary that was wanted would have to be undone. */
function assertCanWrite(path: string): void {
    const present = statSync(path, { throwIfNoEntry: false });
    if (present?.isDirectory()) throw new UsageError(`--summary ${path}: this is a folder; name a file in it.`);
    try {
        accessSync(present === undefined ? dirname(path) : path, constants.W_OK);
    } catch {
        throw new UsageError(`--summary ${path}: cannot be written; its folder has to be there and to be writable.`);
    }
}

function exitCode({ changes, failures }: Migration, flags: MigrateFlags): ExitCode {
    if (failures.length > 0) return ExitCode.failures;
    return flags.check && changes.length > 0 ? ExitCode.pending : ExitCode.ok;
}

/** A file that was refused at the moment of writing did not change: the report must not say so. */
function withoutRefused(migration: Migration, commit: CommitResult): Migration {
    if (commit.refused.length === 0) return migration;
    const written = new Set(commit.written);
    const refused = commit.refused.map(({ path, reason }): Diagnostic => ({
        level: 'error',
        code: 'write-refused',
        file: path,
        message: reason
    }));
    return {
        report: {
            ...migration.report,
            files: migration.report.files.map(file =>
                written.has(file.path) ? file : { ...file, changed: false, edits: 0 }
            ),
            diagnostics: [...migration.report.diagnostics, ...refused]
        },
        changes: migration.changes.filter(change => written.has(change.path)),
        failures: [...migration.failures, ...refused]
    };
}

/** The report is complete by itself: whatever failed is among its diagnostics. */
function withFailures(migration: Migration): Migration {
    const { report, failures } = migration;
    const known = new Set(report.diagnostics.map(identity));
    const missing = failures.filter(failure => !known.has(identity(failure)));
    return { ...migration, report: { ...report, diagnostics: [...report.diagnostics, ...missing] } };
}

function identity({ code, file, line, message }: Diagnostic): string {
    return JSON.stringify([code, file, line, message]);
}

function nextSteps(
    { report, changes, failures }: Migration,
    { cwd }: Target,
    paths: string[],
    flags: MigrateFlags
): string {
    if (changes.length === 0) {
        if (failures.length > 0) return 'Nothing was changed.';
        return report.sites.length > 0
            ? `Nothing to change: what is left of ${count(report.sites.length, 'push call')} is listed above.`
            : `No MCP server code to migrate in ${paths.length > 0 ? paths.join(', ') : cwd}.`;
    }
    const files = count(changes.length, 'file');
    if (flags.check) return `${files} would change. \`mcp-mrtr migrate --write\` applies it.`;
    if (flags.write) return [`Wrote ${files}.`, ...afterWriting(report.sites, changes)].join('\n');
    const words = ['mcp-mrtr', 'migrate', '--write', ...chosen(flags), ...paths];
    const again = words.map(forShell).join(' ');
    return `Dry run: nothing was written (${files} would change). Next: \`${again}\` applies it, \`--diff\` shows it.`;
}

/** The options that the same migration needs again. */
function chosen({ cwd, effects, package: name, summary }: MigrateFlags): string[] {
    return [
        ...(cwd === undefined ? [] : ['--cwd', cwd]),
        ...(effects === undefined || effects === 'once' ? [] : ['--effects', effects]),
        ...(name === undefined ? [] : ['--package', name]),
        ...(summary === undefined ? [] : ['--summary', summary])
    ];
}

/** To be copied into a shell, of which nothing is known. */
function forShell(word: string): string {
    return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}

function afterWriting(sites: SiteReport[], changes: FileChange[]): string[] {
    const steps: string[] = [];
    if (changes.some(change => change.path.split('/').at(-1) === 'package.json')) {
        steps.push('package.json changed: install the dependencies again (e.g. npm install).');
    }
    if (sites.some(site => site.status === 'manual')) {
        steps.push('Calls that are left for you carry an @mcp-mrtr-todo comment with the reason.');
    }
    if (sites.some(site => site.status === 'review')) steps.push('Read the calls marked "review" before you ship.');
    if (changes.some(change => change.before === undefined && /(^|\/)mrtr\.[cm]?[jt]s$/.test(change.path))) {
        steps.push('Give the server its key: MCP_STATE_KEY, at least 32 random bytes, the same on every instance.');
    }
    return steps.map(step => `- ${step}`);
}
