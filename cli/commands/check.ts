import { Option, type Command } from 'commander';
import type { FindingLevel } from '../../codemods/index.js';
import { ExitCode } from '../exitCodes.js';
import { failureLines } from '../reporters/failures.js';
import { json } from '../reporters/findings/json.js';
import { pretty } from '../reporters/findings/pretty.js';
import { byPosition } from '../reporters/order.js';
import type { FindingsOutcome } from '../reporters/reporter.js';
import type { CommonOptions, Session } from '../session.js';
import { resolveTarget } from '../target.js';

interface CheckFlags extends CommonOptions {
    format: keyof typeof REPORTERS;
    json?: true;
    level: FindingLevel;
}

const REPORTERS = { pretty, json };

/** From the most to the least severe. */
const LEVELS: FindingLevel[] = ['error', 'warning', 'note'];

const EXIT_CODES = `
Exit codes:
  0   no finding at or above --level
  1   findings
  3   wrong usage or configuration
  4   some files could not be read (named)
  70  a bug in mcp-mrtr

Examples:
  mcp-mrtr check                    report every push-style call that is left
  mcp-mrtr check --level error src  fail on errors only
  mcp-mrtr check --format json      for other programs`;

export function defineCheck(program: Command, session: Session): void {
    program
        .command('check')
        .summary('report push-style calls that are left, for CI')
        .description(
            'Reports every push-style call (SDK v1 and v2) that protocol revision 2026-07-28 does not know any more. ' +
                'Reads only. A call that check reports is a call that migrate knows.'
        )
        .argument('[paths...]', 'files or folders to check', undefined)
        .optionsGroup('What to report:')
        .addOption(new Option('--level <level>', 'lowest level to report').choices(LEVELS).default('warning'))
        .optionsGroup('Output:')
        .addOption(new Option('--format <format>', 'how to print').choices(Object.keys(REPORTERS)).default('pretty'))
        .addOption(new Option('--json', 'the same as --format json').implies({ format: 'json' }))
        .addHelpText('after', EXIT_CODES)
        .action(async (paths: string[], _flags: unknown, command: Command) => {
            await check(session, paths, command.optsWithGlobals<CheckFlags>());
        });
}

async function check(session: Session, paths: string[], flags: CheckFlags): Promise<void> {
    const target = resolveTarget(session.surroundings.cwd, flags.cwd, paths);
    const codemod = await session.surroundings.loadCodemod();
    const { findings, failures } = codemod.check(target);
    const reported = findings.filter(finding => LEVELS.indexOf(finding.level) <= LEVELS.indexOf(flags.level));
    const outcome: FindingsOutcome = { findings: reported.sort(byPosition), failures: [...failures].sort(byPosition) };

    session.data(palette => REPORTERS[flags.format](outcome, palette), flags);
    session.talk(palette => failureLines(failures, flags.format === 'json', palette), flags);
    if (reported.length === 0 && failures.length === 0) {
        session.talk(() => `No push-style call at level ${flags.level} or above.`, flags);
    }
    session.exitCode = exitCode(outcome);
}

/** A file that could not be read may hide findings, so it wins. */
function exitCode({ findings, failures }: FindingsOutcome): ExitCode {
    if (failures.length > 0) return ExitCode.failures;
    return findings.length > 0 ? ExitCode.findings : ExitCode.ok;
}
