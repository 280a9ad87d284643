import type { Transport } from '@modelcontextprotocol/server';

import { JsonLines } from '../bridge/link/json-lines.js';
import preload from '../bridge/link/preload.cjs';
import { StdioEntry } from '../bridge/stdio-entry.js';
import type { RegisterOptions } from './options.js';
import { ScriptLink } from './script-link.js';
import type { Emit } from './stdio-tap.js';

type Write = (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;

/**
 * Takes the stdin and stdout of this process for the bridge, and gives the script others: it goes on reading the `data`
 * events of stdin and writing to stdout, and is an old server behind the bridge.
 *
 * @param emit emits to the script's own listeners.
 * @param early what has come in so far.
 */
export function serveScript(
    stdin: NodeJS.ReadStream,
    emit: Emit,
    early: readonly Buffer[],
    options: RegisterOptions
): void {
    const { stdout } = process;
    const write = stdout.write.bind(stdout) as Write;
    const wire: Transport = {
        start: () => Promise.resolve(),
        send: message =>
            new Promise((resolve, reject) => {
                write(`${JSON.stringify(message)}\n`, (error?: Error | null) => (error ? reject(error) : resolve()));
            }),
        close: () => Promise.resolve()
    };
    const lines = new JsonLines({
        message: message => wire.onmessage?.(message),
        noise: line => process.emitWarning(`The client sent a line that is no message: ${line}`, 'McpMrtrWarning')
    });
    const script = new ScriptLink(text => emit('data', stdin.readableEncoding === null ? Buffer.from(text) : text));
    stdout.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
        script.wrote(chunk);
        const done = rest.at(-1);
        if (typeof done === 'function') process.nextTick(done);
        return true;
    };
    stdin.emit = (event: string | symbol, ...args: unknown[]): boolean => {
        if (event === 'data') {
            lines.push(toBuffer(args[0] as Buffer | string));
            return true;
        }
        if (event === 'end') {
            lines.end();
            wire.onclose?.();
        }
        return emit(event, ...args);
    };
    preload.bearSlowPeople();
    new StdioEntry(() => script.open(), { ...options, transport: wire });
    for (const chunk of early) lines.push(chunk);
}

/** What stdin has read, in bytes: a script may have set an encoding. */
export function toBuffer(chunk: Buffer | string): Buffer {
    return typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}
