import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createMemoryCommitStore } from '../../../shim/index.js';

describe('the commit store in memory', () => {
    beforeEach(() => vi.useFakeTimers());
    afterEach(() => vi.useRealTimers());

    it('gives a claim to one', async () => {
        const store = createMemoryCommitStore();
        expect(await Promise.all([store.claim('a', 1000), store.claim('a', 1000), store.claim('b', 1000)])).toEqual([
            true,
            false,
            true
        ]);
    });

    it('forgets claims and values in their time', async () => {
        const store = createMemoryCommitStore();
        await store.claim('a', 1000);
        expect(await store.read('a')).toBeUndefined();
        await store.write('a', 'value', 2000);
        vi.advanceTimersByTime(1999);
        expect(await store.read('a')).toBe('value');
        expect(await store.claim('a', 1000)).toBe(false);
        vi.advanceTimersByTime(1);
        expect(await store.read('a')).toBeUndefined();
        expect(await store.claim('a', 1000)).toBe(true);
        expect(await store.read('a')).toBeUndefined();
    });

    it('gives a released claim to the next', async () => {
        const store = createMemoryCommitStore();
        await store.claim('a', 1000);
        await store.release('a');
        expect(await store.claim('a', 1000)).toBe(true);
    });

    it('has room for so many claims, and makes room of dead ones', async () => {
        const store = createMemoryCommitStore({ maxClaims: 2 });
        await store.claim('a', 1000);
        await store.claim('b', 3000);
        await expect(store.claim('c', 1000)).rejects.toThrow('2 claims are alive');
        vi.advanceTimersByTime(1000);
        expect(await store.claim('c', 1000)).toBe(true);
        await expect(store.claim('d', 1000)).rejects.toThrow();
    });

    it('drops the oldest values for new ones, and keeps their claims', async () => {
        const store = createMemoryCommitStore({ maxCharacters: 10 });
        for (const id of ['a', 'b', 'c']) {
            await store.claim(id, 1000);
            await store.write(id, 'four', 1000);
        }
        expect(await Promise.all(['a', 'b', 'c'].map(id => store.read(id)))).toEqual([undefined, 'four', 'four']);
        expect(await store.claim('a', 1000)).toBe(false);
        await store.write('c', 'more than ten', 1000);
        expect(await Promise.all(['b', 'c'].map(id => store.read(id)))).toEqual([undefined, undefined]);
        // The room is counted right: it is all free again.
        await store.write('a', 'ten char10', 1000);
        expect(await store.read('a')).toBe('ten char10');
    });
});
