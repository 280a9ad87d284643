import { createSecretKey, hkdfSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { encodeBase64Url } from './base64url.js';

/** At least 32 bytes: a string counts in UTF-8. */
export type Secret = string | Uint8Array;

/** Keys for sealing state, all derived from secrets of the operator. */
export interface KeyRing {
    /** The key that seals. */
    sealing(): StateKey;
    /** The key with this id, or `undefined` if the ring does not hold it (any more). */
    find(id: string): StateKey | undefined;
}

export interface StateKey {
    /** Derived from the secret, so that every instance which holds it gives it the same name. */
    readonly id: string;
    readonly key: KeyObject;
}

const MIN_SECRET_BYTES = 32;
/** 48 bits tell the keys of a ring apart, and say nothing of the secret. */
const KEY_ID_BYTES = 6;
/** AES-256. */
const KEY_BYTES = 32;

/**
 * A ring in which the first secret seals and all of them open: to rotate, put the new one first and drop the old one
 * when its last flow has expired. The bytes are copied here, and derived from once per secret, when first needed.
 *
 * @throws RangeError if there is no secret, or one has fewer than 32 bytes.
 */
export function createKeyRing(secrets: readonly Secret[]): KeyRing {
    if (secrets.length === 0) throw new RangeError('A key ring needs at least one secret');
    const material = secrets.map(secretBytes);
    const derived: (StateKey | undefined)[] = [];
    const keyAt = (index: number): StateKey => (derived[index] ??= deriveStateKey(material[index]));
    return {
        sealing: () => keyAt(0),
        find(id) {
            for (const index of material.keys()) {
                const key = keyAt(index);
                if (key.id === id) return key;
            }
            return undefined;
        }
    };
}

/** A secret that lives as long as this process. */
export function randomSecret(): Uint8Array {
    return crypto.getRandomValues(new Uint8Array(MIN_SECRET_BYTES));
}

function secretBytes(secret: Secret): Uint8Array<ArrayBuffer> {
    const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : Uint8Array.from(secret);
    if (bytes.length < MIN_SECRET_BYTES) {
        throw new RangeError(
            `A state key must have at least ${MIN_SECRET_BYTES} bytes, got ${bytes.length}. ` +
                `Make one with: node -e "console.log(require('crypto').randomBytes(32).toString('base64'))"`
        );
    }
    return bytes;
}

function deriveStateKey(secret: Uint8Array | undefined): StateKey {
    if (secret === undefined) throw new RangeError('No such key');
    const derive = (info: string, bytes: number): Uint8Array =>
        new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), info, bytes));
    return {
        id: encodeBase64Url(derive('mcp-mrtr/state/v1/id', KEY_ID_BYTES)),
        key: createSecretKey(derive('mcp-mrtr/state/v1/seal', KEY_BYTES))
    };
}
