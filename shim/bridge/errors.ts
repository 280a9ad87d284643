import type { RpcError } from './json-rpc.js';

const INTERNAL_ERROR = -32603;

/** The old server answered a request with an error: it goes to the client as it is, but for codes that are no more. */
export class OldServerError extends Error {
    readonly code: number;
    readonly data: unknown;

    constructor({ code, message, data }: RpcError) {
        super(message);
        this.name = 'OldServerError';
        this.code = code;
        this.data = data;
    }
}

/** Why the bridge could not bring a request to the old server, or its answer back. */
export type BridgeFault = 'not_started' | 'ended' | 'busy' | 'closed' | 'ambiguous_ask' | 'no_carrier';

/** The bridge failed between the client and the old server. Answered as JSON-RPC error -32603, and says what to do. */
export class BridgeError extends Error {
    readonly code = INTERNAL_ERROR;
    readonly data: { readonly reason: BridgeFault };

    constructor(reason: BridgeFault, message: string) {
        super(message);
        this.name = 'BridgeError';
        this.data = { reason };
    }
}

/** What a failure looks like on the wire. */
export function errorOf(error: unknown): RpcError {
    const { message } = error instanceof Error ? error : new Error(String(error));
    const { code, data } = error as { code?: unknown; data?: unknown };
    return { code: typeof code === 'number' ? code : INTERNAL_ERROR, message, ...(data !== undefined && { data }) };
}
