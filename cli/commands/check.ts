import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { nearestRule } from '../../codemods/check/nearestRule.js';
import { LEVELS, selectFindings } from '../../codemods/check/selectFindings.js';
import { lintRule } from '../../codemods/rules/lintRules.js';
import type { CheckResult, Finding, FindingLevel } from '../../codemods/index.js';
import { BaselineFile } from '../checkBaseline.js';
import { cacheFolder } from '../cacheFolder.js';
import { loadCheckConfig } from '../checkConfig.js';
import { ExitCode } from '../exitCodes.js';
import { palette as paletteOf } from '../palette.js';
import { packageVersion } from '../packageVersion.js';
import { diagnosticLines } from '../reporters/diagnostics.js';
import { failureLines } from '../reporters/failures.js';
import { github } from '../reporters/findings/github.js';
import { json } from '../reporters/findings/json.js';
import { pretty } from '../reporters/findings/pretty.js';
import { sarif } from '../reporters/findings/sarif.js';
import { byPosition } from '../reporters/order.js';
import type { FindingsOutcome } from '../reporters/reporter.js';
import { count } from '../reporters/table.js';
import type { CommonOptions, Session } from '../session.js';
import { sourceLines } from '../sourceLines.js';
import { resolveTarget } from '../target.js';

interface CheckFlags extends CommonOptions {
    format: keyof typeof REPORTERS;
    json?: true;
    output?: string;
    level?: FindingLevel;
    rule?: string[];
    ignore?: string[];
    maxWarnings?: number;
    baseline?: string;
    updateBaseline?: true;
    fix?: true;
    config?: string;
    cache: boolean;
}

const REPORTERS = { pretty, json, sarif, github };

const EXIT_CODES = `
Exit codes:
  0   no finding at or above --level (with --max-warnings: no error, and no more warnings than that)
  1   findings
  3   wrong usage or configuration
  4   some files could not be read (named)
  70  a bug in mcp-mrtr

Examples:
  mcp-mrtr check                                   what is left, and what is dangerous
  mcp-mrtr check --level error src                 fail on errors only
  mcp-mrtr check --format sarif --output mrtr.sarif   for code scanning
  mcp-mrtr check --baseline mrtr-baseline.json     nothing new; --update-baseline first`;

export function defineCheck(program: Command, session: Session): void {
    program
        .command('check')
        .summary('report what does not work on 2026-07-28, and what is dangerous there, for CI')
        .description(
            'Reports calls that protocol revision 2026-07-28 does not know any more (SDK v1 and v2), asks without a ' +
                'request, and what would be noticed when a handler runs again. Reads only, but for --fix and --update-baseline.'
        )
        .argument('[paths...]', 'files or folders to check', undefined)
        .optionsGroup('What to report:')
        .addOption(new Option('--level <level>', 'lowest level to report (default: warning)').choices(LEVELS))
        .addOption(new Option('--rule <ids>', 'only these rules, separated by commas').argParser(ruleIds))
        .addOption(
            new Option('--ignore <glob>', 'no findings in these files; may be given again').argParser(accumulated)
        )
        .addOption(new Option('--max-warnings <number>', 'let so many warnings pass').argParser(wholeNumber))
        .option('--baseline <file>', 'report only what is not counted there')
        .option('--update-baseline', 'write the counts of now to the baseline; where it exists, they only fall')
        .option('--config <file>', 'instead of mcp-mrtr.config.json, or "mcp-mrtr" in package.json')
        .optionsGroup('What to do:')
        .option('--fix', 'remove comments that suppress nothing')
        .option('--no-cache', 'read everything anew')
        .optionsGroup('Output:')
        .addOption(new Option('--format <format>', 'how to print').choices(Object.keys(REPORTERS)).default('pretty'))
        .addOption(new Option('--json', 'the same as --format json').implies({ format: 'json' }))
        .option('--output <file>', 'write the report there; stdout gets nothing')
        .addHelpText('after', EXIT_CODES)
        .action(async (paths: string[], _flags: unknown, command: Command) => {
            await check(session, paths, command.optsWithGlobals<CheckFlags>());
        });
}

async function check(session: Session, paths: string[], flags: CheckFlags): Promise<void> {
    const target = resolveTarget(session.surroundings.cwd, flags.cwd, paths);
    const codemod = await session.surroundings.loadCodemod();
    const config = await loadCheckConfig(target.cwd, flags.config);
    const baseline = await BaselineFile.open(
        target.cwd,
        flags.baseline,
        config.baseline,
        flags.updateBaseline === true
    );
    const cache = flags.cache ? cacheFolder(session.surroundings.env) : undefined;
    const result = codemod.check({ ...target, ...(cache === undefined ? {} : { cache }) });
    const fixed = flags.fix ? new Set(codemod.commit(result.fixes).written) : new Set<string>();

    const selected = selectFindings(withoutFixed(result, fixed), {
        level: flags.level ?? config.level ?? 'warning',
        rules: config.rules ?? {},
        only: flags.rule ?? [],
        ignore: [...(config.ignore ?? []), ...(flags.ignore ?? [])]
    }).sort(byPosition);
    const open = selected.filter(({ suppressed }) => suppressed === undefined);
    const { findings, notes } = baseline.apply(open);
    const outcome: FindingsOutcome = {
        findings,
        suppressed: selected.filter(({ suppressed }) => suppressed !== undefined),
        failures: [...result.failures].sort(byPosition),
        lineOf: sourceLines(target.cwd),
        version: packageVersion()
    };

    print(session, outcome, flags);
    session.talk(palette => failureLines(outcome.failures, flags.format !== 'pretty', palette), flags);
    session.talk(palette => diagnosticLines(result.diagnostics, palette).join('\n'), flags);
    for (const note of notes) session.talk(() => note, flags);
    if (fixed.size > 0) session.talk(() => `Fixed ${count(fixed.size, 'file')}.`, flags);
    if (findings.length === 0 && outcome.failures.length === 0) {
        session.talk(() => `No finding at level ${flags.level ?? config.level ?? 'warning'} or above.`, flags);
    }
    session.exitCode = exitCode(outcome, flags.maxWarnings ?? config.maxWarnings);
}

function print(session: Session, outcome: FindingsOutcome, flags: CheckFlags): void {
    const { output, format } = flags;
    if (output === undefined) {
        session.data(palette => REPORTERS[format](outcome, palette), flags);
        return;
    }
    const path = resolve(session.surroundings.cwd, flags.cwd ?? '.', output);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${REPORTERS[format](outcome, paletteOf(false))}\n`);
}

/** What `--fix` has taken out is no finding any more. */
const withoutFixed = ({ findings }: CheckResult, fixed: ReadonlySet<string>): Finding[] =>
    findings.filter(
        ({ rule, messageId, file }) => !(rule === 'unused-suppression' && messageId === 'unused' && fixed.has(file))
    );

/** A file that could not be read may hide findings, so it wins. */
function exitCode({ findings, failures }: FindingsOutcome, maxWarnings: number | undefined): ExitCode {
    if (failures.length > 0) return ExitCode.failures;
    if (maxWarnings === undefined) return findings.length > 0 ? ExitCode.findings : ExitCode.ok;
    const warnings = findings.filter(({ level }) => level === 'warning').length;
    const errors = findings.filter(({ level }) => level === 'error').length;
    return errors > 0 || warnings > maxWarnings ? ExitCode.findings : ExitCode.ok;
}

function ruleIds(value: string, previous: string[] | undefined): string[] {
    const ids = value.split(',').filter(id => id !== '');
    const unknown = ids.find(id => lintRule(id) === undefined);
    if (unknown !== undefined) throw new InvalidArgumentError(`No rule is called ${unknown}${nearestRule(unknown)}.`);
    return [...(previous ?? []), ...ids];
}

const accumulated = (value: string, previous: string[] | undefined): string[] => [...(previous ?? []), value];

function wholeNumber(value: string): number {
    if (!/^\d+$/.test(value)) throw new InvalidArgumentError('It has to be a whole number from 0.');
    return Number(value);
}
