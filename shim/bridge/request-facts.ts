import type { ServerContext } from '@modelcontextprotocol/server';

import type { RequestFacts } from './link/link.js';

/**
 * What of a request an old server may look at, read when it is looked at: whoever waits for the answer to a call keeps
 * these facts, and a request that is over must not be kept with them (DESIGN rule 11).
 */
export class FactsOf implements RequestFacts {
    readonly #ctx: ServerContext;

    constructor(ctx: ServerContext) {
        this.#ctx = ctx;
    }

    get authInfo(): RequestFacts['authInfo'] {
        return this.#ctx.http?.authInfo;
    }

    get request(): RequestFacts['request'] {
        return this.#ctx.http?.req;
    }
}
