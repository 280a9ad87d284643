import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { BridgeOptions } from '../../shim/bridge/options.js';
import { ExitCode } from '../exitCodes.js';
import type { CommonOptions, Session } from '../session.js';
import { UsageError } from '../usageError.js';

interface ServeFlags extends CommonOptions {
    mode: NonNullable<BridgeOptions['mode']>;
    replaySafe?: string[];
    ttl: number;
    pool: number;
    envKey?: string;
}

const HELP = `
The command starts a server that speaks MCP 2025-11-25 or older over its stdin and stdout, in any language.

In the configuration of an MCP host:
  { "mcpServers": { "shop": { "command": "npx", "args": ["-y", "mcp-mrtr", "serve", "--", "python3", "shop.py"] } } }

Exit codes:
  0   the client has closed the connection, or the command was told to stop
  3   wrong usage or configuration
  70  a bug in mcp-mrtr

Examples:
  mcp-mrtr serve -- node build/index.js
  mcp-mrtr serve --mode auto --replay-safe search,lookup -- python3 server.py`;

export function defineServe(program: Command, session: Session): void {
    program
        .command('serve')
        .summary('run a server as it is, and serve it on revision 2026-07-28')
        .description(
            'Starts a push-style MCP server unchanged and serves it to clients of both eras: what it asks its client in ' +
                'the middle of a call reaches 2026-07-28 clients as multi round-trip requests.'
        )
        .argument('<command...>', 'what starts the server, after --')
        .optionsGroup('How a call waits for its client:')
        .addOption(
            new Option('--mode <mode>', 'park: in memory; replay: it runs again from the top; auto: see the README')
                .choices(['auto', 'park', 'replay'])
                .default('auto')
        )
        .option('--replay-safe <tools>', 'tools that auto may run again, separated by commas', list)
        .option('--ttl <seconds>', 'how long the client may take for one round', positive, 600)
        .optionsGroup('The server:')
        .option('--pool <n>', 'how many processes there may be, if each serves one call at a time', positive, 8)
        .option('--env-key <name>', 'environment variable with the key that seals states (32 bytes or more)')
        .addHelpText('after', HELP)
        .action(async (words: string[], _flags: unknown, command: Command) => {
            await serve(session, words, command.optsWithGlobals<ServeFlags>());
        });
}

async function serve(session: Session, [command, ...args]: string[], flags: ServeFlags): Promise<void> {
    const { env, cwd } = session.surroundings;
    if (command === undefined) throw new UsageError('serve: give the command that starts the server, after --');
    const options = bridgeOptions(session, flags);
    // Not before it is needed: `--help` does without.
    const { ProcessLink } = await import('../../shim/bridge/link/process-link.js');
    const { StdioEntry } = await import('../../shim/bridge/stdio-entry.js');
    const preload = fileURLToPath(new URL('../../shim/bridge/link/preload.cjs', import.meta.url));
    const entry = new StdioEntry((_facts, firstId) => {
        // A 2025-era client has its server to itself: nothing has to be traced, and nothing of it is touched.
        const traced = firstId > 0 && existsSync(preload);
        return new ProcessLink({ command, args, cwd: flags.cwd ?? cwd, env, ...(traced && { preload }) }, firstId);
    }, options);
    const stop = (): void => void entry.close();
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    await entry.closed;
    session.exitCode = ExitCode.ok;
}

function bridgeOptions(session: Session, flags: ServeFlags): BridgeOptions {
    return {
        mode: flags.mode,
        replaySafe: flags.replaySafe,
        ttlSeconds: flags.ttl,
        pool: flags.pool,
        key: keyOf(session, flags),
        warn: message => session.talk(() => `mcp-mrtr: ${message}`, flags)
    };
}

function keyOf({ surroundings }: Session, { envKey }: ServeFlags): string | undefined {
    if (envKey === undefined) return undefined;
    const key = surroundings.env[envKey];
    if (key === undefined || Buffer.byteLength(key) < 32) {
        throw new UsageError(`serve: the environment variable ${envKey} has to hold a key of 32 bytes or more`);
    }
    return key;
}

function list(text: string): string[] {
    return text
        .split(',')
        .map(word => word.trim())
        .filter(word => word !== '');
}

function positive(text: string): number {
    const value = Number(text);
    if (Number.isInteger(value) && value > 0) return value;
    throw new InvalidArgumentError('It has to be a positive whole number.');
}
