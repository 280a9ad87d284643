import { canonicalJson } from './canonical.js';

/** What the client is asked, as it goes into `inputRequests`. */
export interface EmbeddedRequest {
    readonly method: string;
    readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** A question with its fingerprint: an answer is given only to the question it was made for (DESIGN rule 5). */
export interface Question {
    readonly request: EmbeddedRequest;
    /** 96 bits of SHA-256, base64url: see {@link questionText}. */
    readonly digest: string;
    /** Makes what the handler gets of its answer; may throw, and may give a promise. @default the answer as it is */
    readonly accept?: ((answer: unknown) => unknown) | undefined;
}

/** Members of `params` that say how to deliver a question, not what it asks. */
const DELIVERY_MEMBERS = new Set(['_meta', 'task', 'elicitationId']);

/**
 * The text whose digest stands for a question: method and params, without delivery members and `$schema`, which a
 * schema library may add or change without a change of the question.
 *
 * @param identity replaces `params.message` where the author declares that its wording may vary between attempts.
 */
export function questionText(request: EmbeddedRequest, identity?: string): string {
    const params = Object.fromEntries(
        Object.entries(request.params ?? {}).filter(([name]) => !DELIVERY_MEMBERS.has(name))
    );
    if (params['requestedSchema'] !== undefined) params['requestedSchema'] = withoutDialect(params['requestedSchema']);
    if (Array.isArray(params['tools'])) {
        params['tools'] = params['tools'].map((tool: unknown) =>
            isRecord(tool) ? { ...tool, inputSchema: withoutDialect(tool['inputSchema']) } : tool
        );
    }
    if (identity !== undefined) {
        delete params['message'];
        return canonicalJson({ method: request.method, params, identity });
    }
    return canonicalJson({ method: request.method, params });
}

function withoutDialect(schema: unknown): unknown {
    if (!isRecord(schema) || !('$schema' in schema)) return schema;
    return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}

function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
