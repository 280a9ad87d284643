/** JSON-RPC "internal error": the server's own code has to change. */
const INTERNAL_ERROR = -32603;

/** A resumable handler ran on 2026-07-28 under a server that `attach` has not seen. */
export class NotAttachedError extends Error {
    readonly code = INTERNAL_ERROR;

    constructor(method: string) {
        super(
            `A resumable handler of ${method} ran on protocol revision 2026-07-28, but its server is not attached. ` +
                `Wrap the server where it is made: attach(new McpServer(…)), before the first registration.`
        );
        this.name = 'NotAttachedError';
    }
}

/** `attach` came after a handler had been registered: requests to it would pass by the seam. */
export class AttachedTooLateError extends Error {
    constructor(method: string) {
        super(
            `attach(server) was called after a handler of ${method} had been registered. ` +
                `Attach the server where it is made: const server = attach(new McpServer(…));`
        );
        this.name = 'AttachedTooLateError';
    }
}

/** `ctx.need` was called while serving a 2026-07-28 request that no client may be asked within. */
export class UnsupportedMethodError extends Error {
    readonly code = INTERNAL_ERROR;

    constructor(method: string, key: string) {
        super(
            `'${key}' cannot be asked while serving ${method}: on protocol revision 2026-07-28 only tools/call, ` +
                `prompts/get and resources/read may require input.`
        );
        this.name = 'UnsupportedMethodError';
    }
}
