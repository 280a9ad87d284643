import { isJsonContentType } from '@modelcontextprotocol/server';

/** As the SDK's own entry has it, in bytes. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** `none`: the SDK shall look at the request itself, whose body has not been touched. */
export type RequestBody =
    | { readonly kind: 'none' }
    | { readonly kind: 'json'; readonly value: unknown }
    | { readonly kind: 'too-large' }
    | { readonly kind: 'malformed' };

/** Reads the JSON body of a request, once and for all who have to know it. */
export async function readBody(request: Request, maxBytes: number): Promise<RequestBody> {
    if (request.method !== 'POST' || !isJsonContentType(request.headers.get('content-type'))) return { kind: 'none' };
    if (Number(request.headers.get('content-length')) > maxBytes) return { kind: 'too-large' };
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = request.body ?? [];
    for await (const chunk of stream) {
        bytes += chunk.length;
        if (bytes > maxBytes) return { kind: 'too-large' };
        chunks.push(chunk);
    }
    try {
        return { kind: 'json', value: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown };
    } catch {
        return { kind: 'malformed' };
    }
}
