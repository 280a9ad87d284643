import { Command } from 'commander';
import { defineCheck } from './commands/check.js';
import { defineExplain } from './commands/explain.js';
import { defineMigrate } from './commands/migrate.js';
import { defineServe } from './commands/serve.js';
import { packageVersion } from './packageVersion.js';
import type { Session } from './session.js';

/** The whole command line. Errors are thrown (`exitOverride`), never exited on: `main` turns them into exit codes. */
export function createProgram(session: Session): Command {
    const { stdout, stderr } = session.surroundings;
    const program = new Command('mcp-mrtr')
        .description('Move MCP servers to protocol revision 2026-07-28 (multi round-trip requests).')
        .exitOverride()
        .configureOutput({
            writeOut: text => stdout.write(text),
            writeErr: text => stderr.write(text),
            getOutHasColors: () => false,
            getErrHasColors: () => false
        })
        .configureHelp({ showGlobalOptions: true })
        .version(packageVersion(), '-V, --version', 'print the version')
        .option('--cwd <folder>', 'work there; paths are relative to it')
        .option('--no-color', 'no colour (there is none off a terminal or with NO_COLOR)')
        .addHelpText(
            'after',
            '\nEvery command has its own help with examples and exit codes: mcp-mrtr <command> --help'
        )
        .showHelpAfterError('(mcp-mrtr --help lists commands and options)');
    defineMigrate(program, session);
    defineCheck(program, session);
    defineExplain(program, session);
    defineServe(program, session);
    return program;
}
