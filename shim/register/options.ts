import type { BridgeOptions } from '../bridge/options.js';

/** What can be said without a line of code: by environment variables. */
export type RegisterOptions = Pick<BridgeOptions, 'key' | 'mode' | 'anonymous'>;

const MODES: readonly unknown[] = ['park', 'auto', 'replay'] satisfies BridgeOptions['mode'][];

/** @throws Error if one is not what it can be: what is misspelt must not quietly behave as something else. */
export function registerOptions(env: Readonly<Record<string, string | undefined>>): RegisterOptions {
    const { MCP_STATE_KEY: key, MCP_MRTR_MODE: mode, MCP_MRTR_ANONYMOUS: anonymous } = env;
    if (mode !== undefined && !isMode(mode)) {
        throw new Error(`mcp-mrtr/register: MCP_MRTR_MODE is '${mode}', and not park, auto or replay`);
    }
    if (anonymous !== undefined && anonymous !== 'share' && anonymous !== 'isolate') {
        throw new Error(`mcp-mrtr/register: MCP_MRTR_ANONYMOUS is '${anonymous}', and not share or isolate`);
    }
    return { ...(key && { key }), ...(mode && { mode }), ...(anonymous && { anonymous }) };
}

function isMode(text: string): text is NonNullable<BridgeOptions['mode']> {
    return MODES.includes(text);
}
