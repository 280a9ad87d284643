import type { MrtrOptions } from './options.js';

type Hooks = Required<Pick<MrtrOptions, 'onRound' | 'onResume' | 'onDiverge' | 'onError'>>;

/**
 * Hooks that write what happens to stderr, one line an event as `util.debuglog` does it, if `MCP_MRTR_DEBUG` is set (to
 * anything but 0). They name methods, targets, keys and sizes, and no answers, for these may be secrets.
 *
 * Stderr, because stdout may carry the protocol. No other file of the runtime writes to either.
 */
export function debugHooks(): Partial<Hooks> {
    const { MCP_MRTR_DEBUG: setting = '0' } = process.env;
    if (setting === '' || setting === '0') return {};
    return {
        onRound: ({ method, target, round, keys, stateBytes }) =>
            write(`${method} ${quoted(target)}: round ${round} asks ${list(keys)} (state of ${stateBytes} bytes)`),
        onResume: ({ method, target, round, keys, stateBytes }) =>
            write(`${method} ${quoted(target)}: round ${round} answers ${list(keys)} (state of ${stateBytes} bytes)`),
        onDiverge: ({ handler, kind, key }) => write(`${quoted(handler)}: the answer to ${quoted(key)} is ${kind}`),
        onError: ({ method, target, fault }) => write(`${method} ${quoted(target)}: the retry is refused, ${fault}`)
    };
}

/** Calls both, the second one also without the first. */
export function both<Event>(
    first: ((event: Event) => void) | undefined,
    second: ((event: Event) => void) | undefined
): ((event: Event) => void) | undefined {
    if (first === undefined || second === undefined) return first ?? second;
    return event => {
        first(event);
        second(event);
    };
}

function write(line: string): void {
    process.stderr.write(`MCP-MRTR ${process.pid}: ${line}\n`);
}

function list(keys: readonly string[]): string {
    return keys.length === 0 ? 'nothing' : keys.map(quoted).join(', ');
}

/** Targets are chosen by the client: one with a line break in it must not look like a line of ours. */
function quoted(text: string): string {
    return JSON.stringify(text);
}
