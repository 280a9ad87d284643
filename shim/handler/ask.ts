/** The kinds of questions that revision 2026-07-28 can embed. */
export type AskMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

declare const RESULT: unique symbol;

/**
 * A question for `ctx.need`, made by `elicit`, `elicitUrl`, `sample` or `listRoots`. `Result` is what the answer
 * gives: exactly what the push call of the same question returned.
 */
export interface Ask<Result> {
    readonly method: AskMethod;
    readonly params?: Readonly<Record<string, unknown>> | undefined;
    /** Never present: carries the type of the answer. */
    readonly [RESULT]?: Result;
}

/** What a builder knows of its question beside the request itself. */
export interface AskDetails {
    /** Stands for `message` in the digest, where the wording may vary between attempts. */
    readonly identity?: string | undefined;
    /** Checks and types accepted content. */
    readonly schema?: ContentSchema | undefined;
    /** The content of a form is for somebody else to check. */
    readonly unchecked?: true;
    /** Id of an out-of-band flow: only 2025-era connections carry it. */
    readonly elicitationId?: string | undefined;
}

/** One for all asks of unmodified servers: they are many, and wait in memory. */
export const UNCHECKED: AskDetails = { unchecked: true };

/** The part of a Standard Schema that reads a value (https://standardschema.dev). */
export interface ContentSchema {
    readonly '~standard': {
        validate(value: unknown): SchemaOutcome | Promise<SchemaOutcome>;
    };
}

type SchemaOutcome =
    | { readonly value: unknown; readonly issues?: undefined }
    | { readonly issues: readonly { readonly message: string }[] };

/** Registered, so that asks of the ESM copy of this package are known to the CommonJS copy. */
const DETAILS = Symbol.for('mcp-mrtr.ask');

export function createAsk<Result>(
    method: AskMethod,
    params: Readonly<Record<string, unknown>> | undefined,
    details: AskDetails = {}
): Ask<Result> {
    const ask = params === undefined ? { method } : { method, params };
    Object.defineProperty(ask, DETAILS, { value: details });
    return ask;
}

export function askDetails(ask: Ask<unknown>): AskDetails {
    return (ask as { [DETAILS]?: AskDetails })[DETAILS] ?? {};
}

const METHODS: ReadonlySet<unknown> = new Set<AskMethod>([
    'elicitation/create',
    'sampling/createMessage',
    'roots/list'
]);

/**
 * Checks what plain JavaScript may pass for an ask.
 *
 * @throws TypeError if it is none.
 */
export function assertAsk(key: string, ask: unknown): asserts ask is Ask<unknown> {
    if (typeof ask === 'object' && ask !== null && 'method' in ask && METHODS.has(ask.method)) return;
    throw new TypeError(
        `need('${key}', …) takes a question made by elicit(), elicitUrl(), sample() or listRoots(), and got ${describe(ask)}`
    );
}

function describe(value: unknown): string {
    if (typeof value !== 'object' || value === null) return String(value);
    return 'method' in value ? `a request of method '${String(value.method)}'` : 'an object without a method';
}
