import { CommanderError } from 'commander';
// Not by way of codemods/index.ts, which loads the type checker: `--help` does without.
import { ConfigError } from '../codemods/check/configError.js';
import { NoSuchPackageError, NoSuchPathError } from '../codemods/files/discover.js';
import { ExitCode } from './exitCodes.js';
import { packageVersion } from './packageVersion.js';
import { createProgram } from './program.js';
import { Session, type Surroundings } from './session.js';
import { UsageError } from './usageError.js';

/** Runs one command line and returns what the process is to end with. Never throws, never exits. */
export async function main(argv: string[], surroundings: Surroundings): Promise<ExitCode> {
    const session = new Session(surroundings);
    try {
        await createProgram(session).parseAsync(argv, { from: 'user' });
        return session.exitCode;
    } catch (error) {
        return fail(error, argv, surroundings);
    }
}

function fail(error: unknown, argv: string[], { stdout, stderr }: Surroundings): ExitCode {
    if (error instanceof CommanderError && error.exitCode === 0) return ExitCode.ok; // --help, --version
    const { exitCode, message } = explain(error);
    // commander has already told the user what is wrong, in this form.
    if (!(error instanceof CommanderError)) stderr.write(`error: ${message}\n`);
    // Who asked for JSON parses stdout whatever happened: exactly one document, in failure too.
    if (wantsJson(argv)) stdout.write(`${JSON.stringify({ version: 1, error: { exitCode, message } }, null, 2)}\n`);
    return exitCode;
}

function explain(error: unknown): { exitCode: ExitCode; message: string } {
    if (error instanceof CommanderError || error instanceof UsageError || error instanceof ConfigError) {
        return { exitCode: ExitCode.usage, message: error.message.replace(/^error: /, '') };
    }
    // The commands have looked before they started; this is a path that went away since, or a package that was mistyped.
    if (error instanceof NoSuchPathError || error instanceof NoSuchPackageError) {
        return { exitCode: ExitCode.usage, message: error.message };
    }
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
        exitCode: ExitCode.internal,
        message: [
            'mcp-mrtr failed because of a bug of its own, not of your code.',
            'Please report it to the maintainers of mcp-mrtr, with the command line and this:',
            `mcp-mrtr ${packageVersion()}, Node ${process.version}, ${process.platform}`,
            stack
        ].join('\n')
    };
}

/** Read from the raw arguments, since a command line that commander refused has no parsed options. */
function wantsJson(argv: string[]): boolean {
    return argv.some((word, index) => {
        return word === '--json' || word === '--format=json' || (word === 'json' && argv[index - 1] === '--format');
    });
}
