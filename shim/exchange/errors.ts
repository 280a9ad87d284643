/** JSON-RPC "internal error": the server's own code has to change. */
const INTERNAL_ERROR = -32603;

/** A question that the client has answered, next to what the handler did instead of asking it again. */
export interface Divergence {
    readonly key: string;
    /** The question that was answered, where this process still knows its text. */
    readonly asked?: string | undefined;
    /** The question that the handler asks now under the same key; absent if it did not ask at all. */
    readonly now?: string | undefined;
    /** Where the two differ first, as `params.message`. */
    readonly path?: string | undefined;
}

/**
 * The handler ran again and did not come back to the question that the client had answered. The answer is given to no
 * other question (DESIGN rules 5 and 8). Answered as JSON-RPC error -32603.
 */
export class ReplayDivergedError extends Error {
    readonly code = INTERNAL_ERROR;
    readonly data: { readonly reason: 'replay_diverged'; readonly keys: readonly string[] };
    readonly divergences: readonly Divergence[];

    constructor(handler: string, reason: 'stalled' | 'finished', divergences: readonly Divergence[]) {
        const what =
            reason === 'stalled'
                ? 'asked something else than what was answered, twice in a row'
                : 'finished on another branch, without asking again what the client has answered';
        super(
            `${handler} ran again and ${what}: ${divergences.map(describe).join('; ')}. ` +
                `Wrap the value that changes between attempts in ctx.once(key, fn), so that it is computed once per call.`
        );
        this.name = 'ReplayDivergedError';
        this.data = { reason: 'replay_diverged', keys: divergences.map(({ key }) => key) };
        this.divergences = divergences;
    }
}

function describe({ key, asked, now, path }: Divergence): string {
    const parts = [
        asked !== undefined && `answered: ${shortened(asked)}`,
        now === undefined ? 'not asked again' : `asked now: ${shortened(now)}`,
        path !== undefined && `differs at ${path}`
    ];
    return `'${key}' (${parts.filter(part => part !== false).join(', ')})`;
}

function shortened(text: string): string {
    return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** `ctx.need` was called inside the function of a `once`: it would have to run again, which is what `once` rules out. */
export class AskInsideOnceError extends Error {
    readonly code = INTERNAL_ERROR;

    constructor(key: string) {
        super(`'${key}' was asked inside ctx.once: ask outside of it, and give the answer to the function of once`);
        this.name = 'AskInsideOnceError';
    }
}

/** The result of a `once` cannot be recorded as JSON without loss. */
export class OnceValueError extends TypeError {
    /** Where in the result the value stands, as `rows[0].total`; empty for the result itself. */
    readonly path: string;

    constructor(key: string, path: string, found: string) {
        const place = path === '' ? 'its result is' : `its result at '${path}' is`;
        super(`ctx.once('${key}'): ${place} ${found}, which JSON cannot record. Return plain data from it.`);
        this.name = 'OnceValueError';
        this.path = path;
    }
}
