import { isRpcMessage } from '../json-rpc.js';
import type { RpcMessage } from '../json-rpc.js';

/** A line that never ends must not fill the memory: what a server sends is bounded by this, in bytes. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** How much of a line that is no message is shown to the operator, in characters. */
const SHOWN = 200;

const NEWLINE = 0x0a;

export interface JsonLinesEvents {
    message(message: RpcMessage): void;
    /** A line that is no message, as one that was printed for people; shortened. */
    noise(line: string): void;
}

/** Reads the stdio framing of MCP: one JSON-RPC message a line (basic/transports, "stdio"). */
export class JsonLines {
    readonly #events: JsonLinesEvents;
    #parts: Buffer[] = [];
    #bytes = 0;

    constructor(events: JsonLinesEvents) {
        this.#events = events;
    }

    /** @throws RangeError if a line is longer than any message may be. */
    push(chunk: Buffer): void {
        let start = 0;
        for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
            this.#parts.push(chunk.subarray(start, end));
            this.#line();
            start = end + 1;
        }
        if (start === chunk.length) return;
        this.#parts.push(chunk.subarray(start));
        this.#bytes += chunk.length - start;
        if (this.#bytes > MAX_LINE_BYTES) throw new RangeError(`sent a line of more than ${MAX_LINE_BYTES} bytes`);
    }

    /** The stream is over: half a line is no message. */
    end(): void {
        if (this.#parts.length > 0) this.#line();
    }

    #line(): void {
        const text = (this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts))?.toString('utf8').trim();
        this.#parts = [];
        this.#bytes = 0;
        if (text === undefined || text === '') return;
        const message = parsed(text);
        if (message === undefined) this.#events.noise(text.slice(0, SHOWN));
        else this.#events.message(message);
    }
}

function parsed(text: string): RpcMessage | undefined {
    // Most of what is printed by mistake is no JSON at all, and an exception is not needed to see that.
    if (!text.startsWith('{')) return undefined;
    try {
        const value: unknown = JSON.parse(text);
        return isRpcMessage(value) ? value : undefined;
    } catch {
        return undefined;
    }
}
