import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

import type { MessageId, RpcMessage } from '../json-rpc.js';
import { JsonLines } from './json-lines.js';
import type { Link, LinkEvents } from './link.js';
import { ORIGIN_MEMBER, TRACE_VARIABLE } from './origin.js';

export interface ProcessOptions {
    readonly command: string;
    readonly args: readonly string[];
    readonly cwd?: string | undefined;
    readonly env: Readonly<Record<string, string | undefined>>;
    /**
     * A CommonJS file that Node children load first, so that they tell for which request they ask; without it every
     * child serves one call at a time.
     */
    readonly preload?: string | undefined;
    /** What becomes of the child's stderr. @default 'inherit' */
    readonly stderr?: 'inherit' | 'ignore' | undefined;
}

/**
 * How long a child gets to end by itself when its stdin ends, and then when it has been told to, in milliseconds. The
 * SDKs' clients give the process that they have started two seconds each, and all of this has to fit in.
 */
const END_MS = 1500;
const TERMINATE_MS = 500;

/** How long the rest of what an ended child has written may take to come, in milliseconds. */
const REST_MS = 200;

/** An old server as a child process that speaks MCP over its stdin and stdout. */
export class ProcessLink implements Link {
    readonly #options: ProcessOptions;
    readonly #firstId: number;
    #child: ChildProcess | undefined;
    #traced = false;
    #gone: Promise<void> = Promise.resolve();

    /** @param firstId id of the first request: the preload knows by it that it is in the server, and not below it. */
    constructor(options: ProcessOptions, firstId: number) {
        this.#options = options;
        this.#firstId = firstId;
    }

    get traced(): boolean {
        return this.#traced;
    }

    async start(events: LinkEvents): Promise<void> {
        const { command, args, cwd, stderr = 'inherit' } = this.#options;
        const child = spawn(command, args, {
            cwd,
            env: this.#environment(),
            stdio: ['pipe', 'pipe', stderr],
            windowsHide: true,
            // A group of its own, so that what a wrapper like `npx` or a shell has started ends with it.
            detached: process.platform !== 'win32'
        });
        this.#child = child;
        let closed = false;
        const over = (how: string): void => {
            if (closed) return;
            closed = true;
            events.closed(how);
        };
        const lines = new JsonLines({
            message: message => this.#receive(message, events),
            noise: line => events.notice(`The server wrote a line to stdout that is no message: ${line}`)
        });
        child.stdout.on('data', (chunk: Buffer) => {
            try {
                lines.push(chunk);
            } catch (error) {
                over(error instanceof Error ? error.message : String(error));
                void this.close();
            }
        });
        child.stdout.on('end', () => lines.end());
        // A child that does not read any more is about to end, which says more than a broken pipe.
        child.stdin.on('error', () => undefined);
        this.#gone = new Promise(resolve => {
            child.once('exit', (code, signal) => {
                resolve();
                const how = signal === null ? `exited with code ${code ?? 0}` : `was ended by ${signal}`;
                // Something that the child has left running may hold its stdout open.
                const rest = setTimeout(() => over(how), REST_MS);
                child.once('close', () => {
                    clearTimeout(rest);
                    over(how);
                });
            });
        });
        await new Promise<void>((resolve, reject) => {
            child.once('spawn', resolve);
            child.once('error', reject);
        });
    }

    send(message: RpcMessage): void {
        this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
    }

    /** A process cannot be told to forget a request: it goes on when its own patience ends, and then does who knows what. */
    abandon(): boolean {
        return false;
    }

    async close(): Promise<void> {
        const child = this.#running();
        if (child === undefined) return;
        child.stdin?.end();
        if (!(await this.#within(END_MS))) await this.terminate();
    }

    /** Ends the child as one ends it who has no time: it is told to, and then it is ended. */
    async terminate(): Promise<void> {
        const child = this.#running();
        if (child === undefined) return;
        this.#signal(child, 'SIGTERM');
        if (await this.#within(TERMINATE_MS)) return;
        this.#signal(child, 'SIGKILL');
        await this.#gone;
    }

    /** Whether there is nothing to end, any more or yet. */
    get ended(): boolean {
        return this.#running() === undefined;
    }

    #running(): ChildProcess | undefined {
        const child = this.#child;
        return child?.pid === undefined || child.exitCode !== null || child.signalCode !== null ? undefined : child;
    }

    #receive(message: RpcMessage, events: LinkEvents): void {
        if (!(ORIGIN_MEMBER in message)) {
            events.message(message);
            return;
        }
        const { [ORIGIN_MEMBER]: origin, ...bare } = message as RpcMessage & { [ORIGIN_MEMBER]: MessageId };
        this.#traced = true;
        events.message(bare, origin);
    }

    #environment(): NodeJS.ProcessEnv {
        const { env, preload } = this.#options;
        if (preload === undefined) return { ...env };
        const options = [env['NODE_OPTIONS'], `--require ${JSON.stringify(preload)}`];
        return {
            ...env,
            NODE_OPTIONS: options.filter(Boolean).join(' '),
            [TRACE_VARIABLE]: String(this.#firstId)
        };
    }

    async #within(ms: number): Promise<boolean> {
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<false>(resolve => (timer = setTimeout(() => resolve(false), ms)));
        return Promise.race([this.#gone.then(() => true), late]).finally(() => clearTimeout(timer));
    }

    #signal(child: ChildProcess, signal: NodeJS.Signals): void {
        try {
            if (process.platform === 'win32' || child.pid === undefined) child.kill(signal);
            else process.kill(-child.pid, signal);
        } catch {
            // It has ended in the meantime.
        }
    }
}
