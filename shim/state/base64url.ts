/** Base64url without padding (RFC 4648 §5), over `btoa` and `atob`, which every runtime has. */
export function encodeBase64Url(bytes: Uint8Array): string {
    let binary = '';
    // In chunks: a call takes only so many arguments.
    for (let start = 0; start < bytes.length; start += 0x2000) {
        binary += String.fromCharCode(...bytes.subarray(start, start + 0x2000));
    }
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * The bytes of `text`, or `undefined` unless it is the one canonical encoding of them: with stray bits in the last
 * character one seal would have several spellings.
 */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
    if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, character => character.charCodeAt(0));
    return encodeBase64Url(bytes) === text ? bytes : undefined;
}
