import { describe, expect, it } from 'vitest';

import { commitOnce } from '../../../shim/commit/commit-once.js';
import type { Retry } from '../../../shim/commit/commit-once.js';
import { createMemoryCommitStore } from '../../../shim/commit/memory-commit-store.js';
import type { CommitStore } from '../../../shim/commit/commit-store.js';
import { CommitStoreError, OutcomeUnknownError } from '../../../shim/commit/errors.js';
import { VirtualTiming } from '../exchange/virtual-timing.js';

const silence = (): Promise<never> => new Promise(() => undefined);
const failure = (): Promise<never> => Promise.reject(new Error('no route to host'));

/** A store and two retries of one state, in virtual time. */
function scene(faults: Partial<CommitStore> = {}) {
    const timing = new VirtualTiming();
    const store: CommitStore = { ...createMemoryCommitStore(), ...faults };
    const warnings: string[] = [];
    const runs: number[] = [];
    const commit = (run: () => Promise<unknown>, retry: Partial<Retry> = {}): Promise<unknown> =>
        commitOnce(
            {
                id: 'state',
                answers: 'yes',
                expiresAt: 600_000,
                signal: new AbortController().signal,
                run: () => {
                    runs.push(timing.now());
                    return run();
                },
                began: () => true,
                ...retry
            },
            store,
            timing,
            message => warnings.push(message)
        );
    return { timing, store, warnings, runs, commit };
}

const forbidden = (): Promise<never> => Promise.reject(new Error('ran twice'));

describe('a holder', () => {
    it('may take as long as it likes: the others see that it lives', async () => {
        const { timing, runs, commit } = scene();
        const first = commit(() => timing.sleep(50_000).then(() => 'done'));
        const second = commit(forbidden);
        expect(await timing.until(Promise.all([first, second]))).toEqual(['done', 'done']);
        expect(runs).toEqual([0]);
    });

    it('that is silent for three seconds is given up', async () => {
        const { timing, runs, commit } = scene({ write: silence });
        void commit(silence);
        await expect(timing.until(commit(forbidden))).rejects.toThrow(OutcomeUnknownError);
        expect(timing.now()).toBeGreaterThanOrEqual(3000);
        expect(timing.now()).toBeLessThan(3500);
        expect(runs).toEqual([0]);
    });

    it('does not lose its outcome to a sign of life that comes late', async () => {
        const { timing, store, commit } = scene();
        const quick = { ...store };
        let writes = 0;
        // The first write takes longest.
        store.write = (...args) => timing.sleep(writes++ === 0 ? 1000 : 0).then(() => quick.write(...args));
        expect(await timing.until(commit(() => Promise.resolve('done')))).toBe('done');
        await timing.until(timing.sleep(5000));
        expect(await store.read('state')).toContain('"result":"done"');
    });

    it('answers its client though the store fails, and warns', async () => {
        const { timing, warnings, commit } = scene({ write: failure });
        expect(await timing.until(commit(() => Promise.resolve('done')))).toBe('done');
        expect(warnings).toEqual([expect.stringMatching(/no route to host.*unknown/)]);
    });

    it('answers its client though the store hangs, with its own error too', async () => {
        const { timing, warnings, commit } = scene({ write: silence });
        const error = new Error('out of stock');
        await expect(timing.until(commit(() => Promise.reject(error)))).rejects.toBe(error);
        expect(timing.now()).toBe(3000);
        expect(warnings).toHaveLength(1);
    });

    it('keeps claim and outcome for longer than the state lives, for the clocks of others', async () => {
        const lifetimes: number[] = [];
        const { timing, commit } = scene({
            claim: (_id, ttlMs) => Promise.resolve(lifetimes.push(ttlMs) > 0),
            write: (_id, _value, ttlMs) => Promise.resolve(void lifetimes.push(ttlMs))
        });
        await timing.until(commit(() => timing.sleep(599_900)));
        expect(lifetimes[0]).toBe(660_000);
        // In its last moments, and after its end.
        expect(lifetimes.at(-1)).toBe(60_100);
        await timing.until(commit(() => timing.sleep(5000)));
        expect(lifetimes.at(-1)).toBe(60_000);
    });
});

describe('a retry', () => {
    it.each([
        ['fails', failure],
        ['hangs', silence]
    ])('is not run if claiming %s', async (_, claim) => {
        const { timing, runs, commit } = scene({ claim });
        const error = await timing.until(commit(forbidden).catch((thrown: unknown) => thrown));
        expect(error).toBeInstanceOf(CommitStoreError);
        expect(error).toMatchObject({ code: -32603, data: { reason: 'commit_store' } });
        expect((error as Error).message).not.toContain('route');
        expect(runs).toEqual([]);
    });

    it('gives back a claim that comes through too late', async () => {
        const { timing, store, commit } = scene();
        const quick = { ...store };
        store.claim = (...args) => timing.sleep(4000).then(() => quick.claim(...args));
        await expect(timing.until(commit(forbidden))).rejects.toThrow(CommitStoreError);
        await timing.until(timing.sleep(2000));
        store.claim = (...args) => quick.claim(...args);
        expect(await timing.until(commit(() => Promise.resolve('done')))).toBe('done');
    });

    it('is unknown if the store fails while another one runs', async () => {
        const { timing, commit } = scene({ read: failure });
        void commit(silence);
        await expect(timing.until(commit(forbidden))).rejects.toThrow(OutcomeUnknownError);
    });

    it('runs if the one before it did not come to the handler', async () => {
        const { timing, runs, commit } = scene();
        const first = commit(() => timing.sleep(1000).then(() => 'not found'), { began: () => false });
        const second = commit(() => Promise.resolve('done'));
        expect(await timing.until(Promise.all([first, second]))).toEqual(['not found', 'done']);
        expect(runs).toHaveLength(2);
    });

    it('does not run if the claim is lost after the end of its state', async () => {
        const { timing, store, runs, commit } = scene();
        void commit(silence, { expiresAt: 1000 });
        const second = commit(forbidden, { expiresAt: 1000 });
        void timing.sleep(2000).then(() => store.release('state'));
        store.write = silence;
        await expect(timing.until(second)).rejects.toThrow(OutcomeUnknownError);
        expect(runs).toEqual([0]);
    });

    it('is not waited for any more when its client has gone', async () => {
        const { timing, commit } = scene();
        void commit(silence);
        const client = new AbortController();
        const second = commit(forbidden, { signal: client.signal });
        void timing.sleep(1000).then(() => client.abort());
        await expect(timing.until(second)).rejects.toThrow(OutcomeUnknownError);
        expect(timing.now()).toBeLessThan(1500);
    });
});
