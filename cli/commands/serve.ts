import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { OpenLink } from '../../shim/bridge/link/link.js';
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
    http?: number;
    isolate?: true;
    url?: URL;
    header: Record<string, string>;
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
  mcp-mrtr serve --replay-safe search,lookup -- python3 server.py
  mcp-mrtr serve --http 3000 -- node build/index.js
  mcp-mrtr serve --url http://127.0.0.1:8080/mcp`;

export function defineServe(program: Command, session: Session): void {
    program
        .command('serve')
        .summary('run a server as it is, and serve it on revision 2026-07-28')
        .description(
            'Starts a push-style MCP server unchanged and serves it to clients of both eras: what it asks its client in ' +
                'the middle of a call reaches 2026-07-28 clients as multi round-trip requests.'
        )
        .argument('[command...]', 'what starts the server, after --')
        .optionsGroup('Where it is served:')
        .option('--http <port>', 'over Streamable HTTP on 127.0.0.1, path /mcp, instead of stdio', port)
        .option('--isolate', 'over HTTP: a server of its own for each request, for callers who are not one person')
        .optionsGroup('The server:')
        .option('--url <url>', 'one that runs already and speaks Streamable HTTP, instead of a command', url)
        .option(
            '--header <header>',
            'what --url is sent with every request, as "Name: value"; again for more',
            header,
            {}
        )
        .option('--pool <n>', 'how many processes or sessions there may be, if each serves one call', positive, 8)
        .optionsGroup('How a call waits for its client:')
        .addOption(
            new Option('--mode <mode>', 'park: in memory; replay: it runs again from the top; auto: see the README')
                .choices(['auto', 'park', 'replay'])
                .default('auto')
        )
        .option('--replay-safe <tools>', 'tools that auto may run again, separated by commas', list)
        .option('--ttl <seconds>', 'how long the client may take for one round', positive, 600)
        .option('--env-key <name>', 'environment variable with the key that seals states (32 bytes or more)')
        .addHelpText('after', HELP)
        .action(async (words: string[], _flags: unknown, command: Command) => {
            await serve(session, words, command.optsWithGlobals<ServeFlags>());
        });
}

/**
 * How long handlers that wait get to clean up when the process is told to stop, in milliseconds. The SDK's client kills a
 * server that it had only asked for its revisions a second after it has told it to stop.
 */
const CLEAN_UP_MS = 200;

interface Serving {
    close(): Promise<void>;
    readonly closed: Promise<unknown>;
}

async function serve(session: Session, words: string[], flags: ServeFlags): Promise<void> {
    const options = bridgeOptions(session, flags);
    const { open, terminate } = await openerOf(session, words, flags);
    const { http } = flags;
    const serving = await (http === undefined
        ? overStdio(open, options)
        : overHttp(session, open, options, flags, http));
    const stop = (): void => {
        void serving.close();
        setTimeout(terminate, CLEAN_UP_MS).unref();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    await serving.closed;
    session.exitCode = ExitCode.ok;
}

// What follows is loaded when it is needed: `--help` does without.

async function overStdio(open: OpenLink, options: BridgeOptions): Promise<Serving> {
    const { StdioEntry } = await import('../../shim/bridge/stdio-entry.js');
    return new StdioEntry(open, options);
}

async function overHttp(
    session: Session,
    open: OpenLink,
    options: BridgeOptions,
    flags: ServeFlags,
    port: number
): Promise<Serving> {
    const { HttpEntry } = await import('../../shim/bridge/http-entry.js');
    const { serveHttp } = await import('../serveHttp.js');
    const entry = new HttpEntry(open, { ...options, anonymous: flags.isolate ? 'isolate' : 'share' });
    const serving = await serveHttp(entry, port).catch((error: unknown) => {
        throw new UsageError(`serve: ${error instanceof Error ? error.message : String(error)}`);
    });
    session.talk(() => `mcp-mrtr: serving on ${serving.url}`, flags);
    return serving;
}

interface Opener {
    readonly open: OpenLink;
    /** Ends what has been opened, without waiting for it to end by itself. */
    readonly terminate: () => void;
}

async function openerOf({ surroundings }: Session, words: string[], flags: ServeFlags): Promise<Opener> {
    const [command, ...args] = words;
    const { url, header: headers } = flags;
    if ((url === undefined) === (command === undefined)) {
        throw new UsageError('serve: give either the command that starts the server, after --, or --url');
    }
    if (url !== undefined) {
        const { UrlLink } = await import('../../shim/bridge/link/url-link.js');
        return { open: (_facts, firstId) => new UrlLink(url, headers, firstId), terminate: () => undefined };
    }
    const { ProcessLink } = await import('../../shim/bridge/link/process-link.js');
    const { env, cwd } = surroundings;
    const preload = fileURLToPath(new URL('../../shim/bridge/link/preload.cjs', import.meta.url));
    const started = { command: command ?? '', args, cwd: flags.cwd ?? cwd, env };
    const links = new Set<InstanceType<typeof ProcessLink>>();
    const open: OpenLink = (_facts, firstId) => {
        // A 2025-era client has its server to itself: nothing has to be traced, and nothing of it is touched.
        const traced = firstId > 0 && existsSync(preload);
        const link = new ProcessLink(traced ? { ...started, preload } : started, firstId);
        for (const other of links) if (other.ended) links.delete(other);
        links.add(link);
        return link;
    };
    return { open, terminate: () => void Promise.all([...links].map(link => link.terminate())) };
}

function bridgeOptions(session: Session, flags: ServeFlags): BridgeOptions {
    return {
        mode: flags.mode,
        replaySafe: flags.replaySafe,
        ttlSeconds: flags.ttl,
        pool: flags.pool,
        // A call that waits is in the memory of this process, so nobody else has to open its state.
        key: keyOf(session, flags) ?? (flags.mode === 'replay' ? undefined : randomBytes(32)),
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

function port(text: string): number {
    const value = Number(text);
    if (/^\d+$/.test(text) && value < 65_536) return value;
    throw new InvalidArgumentError('It has to be a port; 0 takes one that is free.');
}

function url(text: string): URL {
    const value = URL.canParse(text) ? new URL(text) : undefined;
    if (value?.protocol === 'http:' || value?.protocol === 'https:') return value;
    throw new InvalidArgumentError('It has to be a URL of http or https.');
}

function header(text: string, before: Record<string, string>): Record<string, string> {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new InvalidArgumentError('It has to be "Name: value".');
    return { ...before, [name]: value };
}
