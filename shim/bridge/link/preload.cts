/**
 * Runs in a Node child of `mcp-mrtr serve` before the server's own code, and writes in front of each message of the
 * server for which request it is sent, so that one child can serve many calls (DESIGN rule 21). It knows no SDK: what
 * it relies on is that a server reads stdin by its `data` events, and writes each message to stdout in one piece.
 *
 * It changes nothing else, but that what an SDK of MCP asks its client does not time out while a person thinks: how long
 * that may take is for the bridge to say (rule 12).
 */
// CommonJS, for `--require` is the only preload that every version of Node has.
// eslint-disable-next-line @typescript-eslint/no-require-imports
import asyncHooks = require('node:async_hooks');

/** As `origin.ts` has them; this file stands alone, for it is loaded before anything else. */
const ORIGIN_MEMBER = 'mcp-mrtr/origin';
const TRACE_VARIABLE = 'MCP_MRTR_TRACE';

const LONGEST_DELAY_MS = 2 ** 31 - 1;

type Emit = (event: string | symbol, ...args: unknown[]) => boolean;
type Write = (chunk: unknown, ...rest: unknown[]) => boolean;

/** The id of the request that is being served, if one is. */
const serving = new asyncHooks.AsyncLocalStorage<number | undefined>();

const { [TRACE_VARIABLE]: announced } = process.env;
if (announced !== undefined) traceOnFirstUse(Number(announced));

/** A wrapper as `npx` never reads stdin itself, and to open it changes the pipe for the one who does. */
function traceOnFirstUse(initialize: number): void {
    const descriptor = Object.getOwnPropertyDescriptor(process, 'stdin');
    let stdin: NodeJS.ReadStream | undefined;
    Object.defineProperty(process, 'stdin', {
        ...descriptor,
        get: () => {
            if (stdin === undefined) {
                stdin = descriptor?.get?.call(process) as NodeJS.ReadStream;
                traceStdin(stdin, initialize);
            }
            return stdin;
        }
    });
}

/** Emits each line that comes in by itself, in the context of the request that it is. */
function traceStdin(stdin: NodeJS.ReadStream, initialize: number): void {
    const emit = stdin.emit.bind(stdin) as Emit;
    const decoder = new TextDecoder();
    let tracing = false;
    let rest = '';
    const give = (line: string): void => {
        const id = requestId(line);
        if (!tracing && id === initialize) {
            tracing = true;
            traceStdout();
            bearSlowPeople();
        }
        const chunk = stdin.readableEncoding === null ? Buffer.from(line) : line;
        serving.run(tracing ? id : undefined, () => emit('data', chunk));
    };
    stdin.emit = (event: string | symbol, ...args: unknown[]): boolean => {
        const [chunk] = args;
        if (event === 'end' && rest !== '') give(rest);
        if (event !== 'data') return emit(event, ...args);
        const text = rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk as Buffer, { stream: true }));
        const end = text.lastIndexOf('\n') + 1;
        rest = text.slice(end);
        for (const line of text.slice(0, end).match(/[^\n]*\n/g) ?? []) give(line);
        return true;
    };
}

/** A pattern, for a parse of each message would cost as much as the server's own. */
function requestId(line: string): number | undefined {
    const id = /^\{"jsonrpc":"2\.0","id":(\d+),"method":/.exec(line)?.[1];
    return id === undefined ? undefined : Number(id);
}

function traceStdout(): void {
    const { stdout } = process;
    const write = stdout.write.bind(stdout) as Write;
    stdout.write = (chunk: unknown, ...rest: unknown[]): boolean => {
        const id = serving.getStore();
        const isMessage = typeof chunk === 'string' && chunk.startsWith('{"') && chunk.endsWith('}\n');
        if (id === undefined || !isMessage) return write(chunk, ...rest);
        return write(`{"${ORIGIN_MEMBER}":${id},${chunk.slice(1)}`, ...rest);
    };
}

/** As far as the SDKs are concerned, by the name of their method: `Server._setupTimeout`, in all of 1.x and 2.x. */
function bearSlowPeople(): void {
    const set = globalThis.setTimeout;
    const patient = (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): NodeJS.Timeout => {
        if (ms === undefined || ms < 1000 || !isAsk()) return set(run, ms, ...args);
        // Nor does it keep a server alive whose client is gone.
        return set(run, LONGEST_DELAY_MS, ...args).unref();
    };
    globalThis.setTimeout = Object.assign(patient, set);
}

/** Whether an SDK's server, and not a client that the server has, is about to wait for an answer. */
function isAsk(): boolean {
    const caller = new Error().stack?.split('\n')[3] ?? '';
    return caller.includes('._setupTimeout ') && !caller.includes('Client._setupTimeout ');
}

export = { bearSlowPeople };
