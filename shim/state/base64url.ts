/** Base64url without padding (RFC 4648 §5). */
export function encodeBase64Url(bytes: Uint8Array): string {
    return view(bytes).toString('base64url');
}

/**
 * The bytes of `text`, or `undefined` unless it is the one canonical encoding of them: with stray bits in the last
 * character one seal would have several spellings.
 */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
    const bytes = Uint8Array.from(Buffer.from(text, 'base64url'));
    // `Buffer` skips what it cannot read; the way back tells.
    return encodeBase64Url(bytes) === text ? bytes : undefined;
}

function view(bytes: Uint8Array): Buffer {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
