import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeBase64Url, encodeBase64Url } from '../../../shim/state/base64url.js';
import { InvalidStateError, StateTooLargeError } from '../../../shim/state/errors.js';
import { createKeyRing } from '../../../shim/state/key-ring.js';
import type { Secret } from '../../../shim/state/key-ring.js';
import { createSealer } from '../../../shim/state/sealer.js';
import type { Binding, SealerOptions } from '../../../shim/state/sealer.js';

const SECRET = 'a key for tests, long enough for AES';
const BINDING: Binding = {
    server: 'shop',
    principal: 'ada',
    method: 'tools/call',
    target: 'refund',
    argumentsDigest: 'digest'
};

function sealer(secrets: readonly Secret[] = [SECRET], options: Partial<SealerOptions> = {}) {
    return createSealer({
        keys: createKeyRing(secrets),
        ttlSeconds: 600,
        flowTtlSeconds: 3600,
        maxBytes: 65_536,
        now: () => 1_000_000,
        measure: () => [],
        ...options
    });
}

function fault(open: () => unknown): unknown {
    try {
        open();
        return 'opened';
    } catch (error) {
        return error instanceof InvalidStateError ? error.fault : error;
    }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a sealer', () => {
    it('opens what it sealed, and says when the flow began and the state ends', () => {
        const payload = { a: [1, 'ü', null, { 'b"': true }] };
        const blob = sealer().seal(payload, BINDING, 990_000);
        expect(sealer().open(blob, BINDING)).toEqual({ payload, startedAt: 990_000, expiresAt: 1_600_000 });
    });

    it('never seals the same twice', () => {
        const { seal } = sealer();
        expect(seal({}, BINDING)).not.toBe(seal({}, BINDING));
    });

    it('refuses every other character at every place', () => {
        const blob = sealer().seal({ a: 1 }, BINDING);
        const place = fc.nat({ max: blob.length - 1 });
        const character = fc.constantFrom(...Array.from(ALPHABET), '.', '=', '+', '/', ' ', '\0', 'é');
        fc.assert(
            fc.property(place, character, (at, other) => {
                fc.pre(blob[at] !== other);
                expect(fault(() => sealer().open(blob.slice(0, at) + other + blob.slice(at + 1), BINDING))).not.toBe(
                    'opened'
                );
            }),
            { numRuns: 400 }
        );
    });

    it('refuses a binding of which any part is another', () => {
        const blob = sealer().seal({ a: 1 }, BINDING);
        for (const part of Object.keys(BINDING)) {
            expect(fault(() => sealer().open(blob, { ...BINDING, [part]: 'other' }))).toBe('rejected');
        }
        expect(fault(() => sealer().open(blob, { ...BINDING, principal: null }))).toBe('rejected');
    });

    it('tells apart bindings whose parts only join to the same text', () => {
        const parts = fc.record({
            server: fc.string({ unit: 'binary', maxLength: 4 }),
            principal: fc.oneof(fc.constant(null), fc.string({ unit: 'binary', maxLength: 4 })),
            method: fc.string({ maxLength: 4 }),
            target: fc.string({ unit: 'binary', maxLength: 4 }),
            argumentsDigest: fc.string({ maxLength: 4 })
        });
        fc.assert(
            fc.property(parts, parts, (sealed, shown) => {
                fc.pre(JSON.stringify(sealed) !== JSON.stringify(shown));
                const blob = sealer().seal({}, sealed);
                expect(fault(() => sealer().open(blob, shown))).toBe('rejected');
            })
        );
        const shifted = { ...BINDING, server: 'shop","ada', principal: '' };
        expect(fault(() => sealer().open(sealer().seal({}, { ...BINDING, principal: '","' }), shifted))).toBe(
            'rejected'
        );
        const surrogate = sealer().seal({}, { ...BINDING, target: '\ud800' });
        expect(fault(() => sealer().open(surrogate, { ...BINDING, target: '\udfff' }))).toBe('rejected');
    });

    it('opens with every key of the ring, and seals with the first', () => {
        const next = 'the next key for tests, 32 bytes long';
        const old = sealer([SECRET]).seal({ a: 1 }, BINDING);
        const rotated = sealer([next, SECRET]);
        expect(fault(() => rotated.open(old, BINDING))).toBe('opened');
        const fresh = rotated.seal({ a: 1 }, BINDING);
        expect(fault(() => sealer([next]).open(fresh, BINDING))).toBe('opened');
        expect(fault(() => sealer([next]).open(old, BINDING))).toBe('unknown_key');
    });

    it('does not take the ciphertext of one key under the name of another', () => {
        const next = 'the next key for tests, 32 bytes long';
        const [, id] = sealer([next]).seal({}, BINDING).split('.');
        const [prefix, , sealed] = sealer([SECRET]).seal({}, BINDING).split('.');
        const ring = sealer([SECRET, next]);
        expect(fault(() => ring.open(`${prefix}.${id}.${sealed}`, BINDING))).toBe('rejected');
    });

    it('keeps its own copy of the secret', () => {
        const secret = new Uint8Array(32).fill(7);
        const early = sealer([secret]);
        secret.fill(0);
        const blob = early.seal({}, BINDING);
        expect(fault(() => sealer([new Uint8Array(32).fill(7)]).open(blob, BINDING))).toBe('opened');
    });

    it('lets a state live for its round, within its flow', () => {
        const at = (now: number) => sealer([SECRET], { now: () => now, ttlSeconds: 60, flowTtlSeconds: 100 });
        const blob = at(0).seal({}, BINDING);
        expect(fault(() => at(59_999).open(blob, BINDING))).toBe('opened');
        expect(fault(() => at(60_000).open(blob, BINDING))).toBe('expired');
        const late = at(50_000).seal({}, BINDING, 0);
        expect(fault(() => at(99_999).open(late, BINDING))).toBe('opened');
        expect(fault(() => at(100_000).open(late, BINDING))).toBe('expired');
    });

    it('says which entries make a state too large, and what to do', () => {
        const measure = () => [
            { key: 'small', bytes: 10 },
            { key: 'picture', bytes: 4000 },
            { key: 'rows', bytes: 300 }
        ];
        const tooSmall = sealer([SECRET], { maxBytes: 1000, measure });
        const error = fault(() => tooSmall.seal({ a: 'x'.repeat(4000) }, BINDING));
        expect(error).toBeInstanceOf(StateTooLargeError);
        expect((error as Error).message).toMatch(/limit of 1000.*'picture' 4000 bytes, 'rows' 300 bytes.*park/);
        expect(error).toMatchObject({ code: -32603, data: { reason: 'state_too_large', limit: 1000 } });
    });

    it('looks at the length before anything else', () => {
        const { open } = sealer([SECRET], { maxBytes: 100 });
        expect(fault(() => open(`m1.${'!'.repeat(100)}`, BINDING))).toBe('too_large');
    });

    it('costs a third more than its JSON and a constant', () => {
        for (const size of [0, 100, 10_000]) {
            const payload = 'x'.repeat(size);
            const blob = sealer().seal(payload, BINDING);
            expect(blob.length).toBeLessThanOrEqual(1.34 * (size + 2) + 120);
        }
    });
});

describe('base64url', () => {
    it('gives back all bytes', () => {
        fc.assert(
            fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
                const text = encodeBase64Url(bytes);
                expect(text).toBe(Buffer.from(bytes).toString('base64url'));
                expect(decodeBase64Url(text)).toEqual(Uint8Array.from(bytes));
            })
        );
        const large = new Uint8Array(100_000).fill(250);
        expect(decodeBase64Url(encodeBase64Url(large))).toEqual(large);
    });

    it.each([1, 2])('has one spelling of %d bytes: stray bits of the last character are refused', length => {
        const text = encodeBase64Url(new Uint8Array(length).fill(255));
        const last = ALPHABET.indexOf(text.at(-1)!);
        const respelled = text.slice(0, -1) + ALPHABET.charAt(last ^ 1);
        expect(Buffer.from(respelled, 'base64url')).toEqual(Buffer.from(text, 'base64url'));
        expect(decodeBase64Url(respelled)).toBeUndefined();
    });

    it.each(['A', 'AA=', 'AA==', 'A A', 'AA\n', 'A+', 'A/', 'é'])('refuses %j', text => {
        expect(decodeBase64Url(text)).toBeUndefined();
    });
});
