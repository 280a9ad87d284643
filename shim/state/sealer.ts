import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { decodeBase64Url, encodeBase64Url } from './base64url.js';
import { InvalidStateError, StateTooLargeError } from './errors.js';
import type { StateEntrySize } from './errors.js';
import type { KeyRing } from './key-ring.js';

/**
 * What a state belongs to. None of it is in the state: it is authenticated beside it, so a state that is shown by
 * another principal, for another tool or with other arguments does not decrypt.
 */
export interface Binding {
    readonly server: string;
    /** Who is asking; `null` where requests carry no identity. */
    readonly principal: string | null;
    readonly method: string;
    /** Tool or prompt name, or resource URI. */
    readonly target: string;
    /** Digest of the canonical raw arguments. */
    readonly argumentsDigest: string;
}

export interface SealerOptions {
    readonly keys: KeyRing;
    /** How long the client may take for one round, in seconds. */
    readonly ttlSeconds: number;
    /** How long a flow may take from its first round to its last, in seconds. */
    readonly flowTtlSeconds: number;
    /** Longest sealed state, in characters of the wire. */
    readonly maxBytes: number;
    /** Milliseconds since the epoch. */
    readonly now: () => number;
    /** Sizes of the parts of a payload, for the error that says why it is too large. */
    readonly measure: (payload: unknown) => StateEntrySize[];
}

/** A payload out of a state that opened. */
export interface Opened {
    readonly payload: unknown;
    /** When the flow was sealed first, in milliseconds since the epoch. */
    readonly startedAt: number;
    /** When this state expires, in milliseconds since the epoch. */
    readonly expiresAt: number;
}

export interface Sealer {
    /**
     * Encrypts a JSON payload for this binding.
     *
     * @param startedAt when the flow was sealed first, in milliseconds; now, if left out.
     * @throws StateTooLargeError
     */
    readonly seal: (payload: unknown, binding: Binding, startedAt?: number) => string;
    /**
     * @throws InvalidStateError unless `blob` is what {@link seal} returned for an equal binding, with a key of this
     * ring, and has not expired.
     */
    readonly open: (blob: string, binding: Binding) => Opened;
}

/** Version of the format, and how our states are told from others. */
const PREFIX = 'm1';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const LISTED_ENTRIES = 3;

/** Whether a state claims to be ours. Only {@link Sealer.open} says whether it is. */
export function isSealedState(state: string): boolean {
    return state.startsWith(`${PREFIX}.`);
}

/**
 * AES-256-GCM over `{ e: expiry, t: start, p: payload }` (DESIGN rule 16): `m1.<key id>.<base64url(iv, ciphertext,
 * tag)>`. A random 96-bit IV keeps one key good for 2³² seals. Not compressed: answers are chosen by the client and
 * may stand beside secrets, whose length a compressor would betray.
 */
export function createSealer(options: SealerOptions): Sealer {
    const { keys, ttlSeconds, flowTtlSeconds, maxBytes, now, measure } = options;
    return {
        seal(payload, binding, startedAt = now()) {
            const { id, key } = keys.sealing();
            const expiry = Math.min(now() + ttlSeconds * 1000, startedAt + flowTtlSeconds * 1000);
            const text = JSON.stringify({ e: Math.floor(expiry), t: Math.floor(startedAt), p: payload });
            const iv = randomBytes(IV_BYTES);
            const cipher = createCipheriv(CIPHER, key, iv).setAAD(associatedData(id, binding));
            const bytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
            const blob = `${PREFIX}.${id}.${encodeBase64Url(bytes)}`;
            if (blob.length > maxBytes) {
                const largest = measure(payload).sort((a, b) => b.bytes - a.bytes);
                const call = `${binding.method} '${binding.target}'`;
                throw new StateTooLargeError(call, blob.length, maxBytes, largest.slice(0, LISTED_ENTRIES));
            }
            return blob;
        },

        open(blob, binding) {
            if (!isSealedState(blob)) throw new InvalidStateError('foreign');
            // Before anything is decoded: the length is the only cost that the sender pays alone.
            if (blob.length > maxBytes) throw new InvalidStateError('too_large');
            const [, id, encoded, ...rest] = blob.split('.');
            const bytes = encoded === undefined || rest.length > 0 ? undefined : decodeBase64Url(encoded);
            if (id === undefined || bytes === undefined || bytes.length <= IV_BYTES + TAG_BYTES) {
                throw new InvalidStateError('malformed');
            }
            const key = keys.find(id);
            if (key === undefined) throw new InvalidStateError('unknown_key');
            const text = decrypt(key.key, bytes, associatedData(id, binding));
            const { e, t, p } = JSON.parse(text) as { e: number; t: number; p: unknown };
            if (now() >= e) throw new InvalidStateError('expired');
            return { payload: p, startedAt: t, expiresAt: e };
        }
    };
}

/** A JSON array, so that no two bindings have the same bytes however their parts are split. */
function associatedData(keyId: string, binding: Binding): Buffer {
    const { server, principal, method, target, argumentsDigest } = binding;
    return Buffer.from(JSON.stringify([PREFIX, keyId, server, principal, method, target, argumentsDigest]));
}

function decrypt(key: KeyObject, bytes: Uint8Array, additionalData: Uint8Array): string {
    const tag = bytes.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(additionalData)
        .setAuthTag(bytes.subarray(tag));
    const text = decipher.update(bytes.subarray(IV_BYTES, tag), undefined, 'utf8');
    try {
        return text + decipher.final('utf8');
    } catch {
        throw new InvalidStateError('rejected');
    }
}
