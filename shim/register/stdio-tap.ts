import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';

import { isRecord, isRpcMessage } from '../bridge/json-rpc.js';
import { serveScript, toBuffer } from './serve-script.js';
import type { RegisterOptions } from './options.js';

export type Emit = (event: string | symbol, ...args: unknown[]) => boolean;

/** A first line that is longer is no message of a client that begins. */
const MAX_FIRST_LINE = 1024 * 1024;

/**
 * Looks at the first line that comes in on stdin, when the script reads it. If it is a message of 2026-07-28, the script
 * is served from then on; if it is anything else, the tap steps aside and the script gets every byte as it came.
 */
export function tapStdio(options: RegisterOptions): void {
    const descriptor = Object.getOwnPropertyDescriptor(process, 'stdin');
    let stdin: NodeJS.ReadStream | undefined;
    // To open stdin changes it for others who hold the pipe, so it is left to the script.
    Object.defineProperty(process, 'stdin', {
        ...descriptor,
        get: () => {
            if (stdin === undefined) {
                stdin = descriptor?.get?.call(process) as NodeJS.ReadStream;
                watchFirstLine(stdin, options);
            }
            return stdin;
        }
    });
}

function watchFirstLine(stdin: NodeJS.ReadStream, options: RegisterOptions): void {
    const emit = stdin.emit.bind(stdin) as Emit;
    let early: (Buffer | string)[] = [];
    const stepAside = (): void => {
        // The prototype's own, as before.
        delete (stdin as Partial<NodeJS.ReadStream>).emit;
        const held = early;
        early = [];
        for (const chunk of held) emit('data', chunk);
    };
    stdin.emit = (event: string | symbol, ...args: unknown[]): boolean => {
        if (event !== 'data') {
            if (event === 'end' || event === 'close') stepAside();
            return emit(event, ...args);
        }
        early.push(args[0] as Buffer | string);
        const text = early.map(String).join('');
        const line = /^\s*(\S.*)\n/.exec(text)?.[1];
        if (line === undefined) {
            if (!/^\s*(?:\{|$)/.test(text) || text.length > MAX_FIRST_LINE) stepAside();
        } else if (isModern(line)) {
            serveScript(stdin, emit, early.map(toBuffer), options);
        } else {
            stepAside();
        }
        return true;
    };
}

/** Whether a line is a message with the envelope of 2026-07-28 (basic, "Request metadata"). */
function isModern(line: string): boolean {
    let message: unknown;
    try {
        message = JSON.parse(line);
    } catch {
        return false;
    }
    if (!isRpcMessage(message) || !('method' in message)) return false;
    const meta = message.params?.['_meta'];
    return isRecord(meta) && typeof meta[PROTOCOL_VERSION_META_KEY] === 'string';
}
