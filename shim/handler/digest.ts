import { hash } from 'node:crypto';

/** 96 bits: enough that no two questions or argument sets of a flow meet by chance, and short in the state. */
const DIGEST_BYTES = 12;

/** SHA-256 of `text`, cut to 96 bits, base64url: 16 characters. */
export function shortDigest(text: string): string {
    return hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES).toString('base64url');
}
