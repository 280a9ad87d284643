import type { Timing } from '../exchange/timing.js';
import { failureOf, replay } from './commit-record.js';
import type { CommitOutcome, CommitRecord } from './commit-record.js';
import type { CommitStore } from './commit-store.js';
import { CommitStoreError, OutcomeUnknownError, UsedStateError } from './errors.js';

/** A retry of the client, on its way to the handler. */
export interface Retry {
    /** Names the state that it answers: two retries with one id answer the same round. */
    readonly id: string;
    /** Digest of its answers. */
    readonly answers: string;
    /** When the state expires, in milliseconds since the epoch. */
    readonly expiresAt: number;
    /** The client does not wait any more. */
    readonly signal: AbortSignal;
    /** Runs the handler, up to the result or error that the client is given. */
    readonly run: () => Promise<unknown>;
    /** Whether the last {@link run} came as far as the handler, or used an answer in another way. */
    readonly began: () => boolean;
}

/**
 * How much longer than its state a claim is kept, in milliseconds: an instance whose clock is late takes the state a
 * little longer, and must still find the claim.
 */
const CLOCK_SKEW_MS = 60_000;

/** A holder shows this often that it lives, and is given up after a silence that no busy event loop explains. */
const BEAT_MS = 500;
const SILENCE_MS = 3000;

/** How long the others wait between two looks: at first, and at most. */
const FIRST_LOOK_MS = 10;
const LAST_LOOK_MS = 200;

/**
 * Answers each round at most once, however often and wherever its state arrives (DESIGN rule 15). The first retry
 * claims the state and runs; the same retry again waits for the outcome and gets it too; one with other answers is
 * refused. If the holder dies nobody runs again.
 *
 * @throws UsedStateError
 * @throws OutcomeUnknownError
 * @throws CommitStoreError if the claim failed. A failure after the run is a warning: its outcome is the client's.
 */
export async function commitOnce(
    retry: Retry,
    store: CommitStore,
    timing: Timing,
    warn: (message: string) => void
): Promise<unknown> {
    if (await claim(retry, store, timing)) return hold(retry, store, timing, warn);
    let seen: string | undefined;
    let silentSince = timing.now();
    for (let pause = FIRST_LOOK_MS; !retry.signal.aborted; pause = Math.min(pause * 1.5, LAST_LOOK_MS)) {
        const text = await look(retry, store, timing);
        // Released by a holder that did not come to the handler, or not written to yet. An expired one has been lost.
        if (text === undefined && timing.now() < retry.expiresAt && (await claim(retry, store, timing))) {
            return hold(retry, store, timing, warn);
        }
        if (text !== undefined) {
            const { answers, outcome } = JSON.parse(text) as CommitRecord;
            if (answers !== retry.answers) throw new UsedStateError();
            if (outcome !== undefined) return replay(outcome);
        }
        // By what changes and not by the time in it, for the holder may have another clock.
        if (text !== seen) silentSince = timing.now();
        else if (timing.now() - silentSince >= SILENCE_MS) break;
        seen = text;
        await new Promise<void>(resolve => void timing.after(pause, resolve));
    }
    throw new OutcomeUnknownError();
}

async function hold(
    retry: Retry,
    store: CommitStore,
    timing: Timing,
    warn: (message: string) => void
): Promise<unknown> {
    const write = (record: Omit<CommitRecord, 'answers'>): Promise<void> =>
        store.write(retry.id, JSON.stringify({ answers: retry.answers, ...record }), lifetime(retry, timing));
    const stop = beatWith(beat => write({ beat }), timing);
    const running = retry.run();
    const outcome = await running.then((result): CommitOutcome => ({ result }), failureOf);
    const kept = stop().then(() => (retry.began() ? write({ outcome }) : store.release(retry.id)));
    await inTime(kept, timing).catch((error: unknown) =>
        warn(
            `the commit store did not keep the outcome of a call (${String(error)}): whoever sends it again is told ` +
                `that it is unknown.`
        )
    );
    return running;
}

/**
 * Calls `beat` now and then until the returned function is called, which resolves when no beat is on its way any more:
 * one that came late would write over the outcome.
 */
function beatWith(beat: (count: number) => Promise<void>, timing: Timing): () => Promise<void> {
    let running = Promise.resolve();
    let cancel: (() => void) | undefined;
    let stopped = false;
    const next = (count: number): void => {
        // One that fails is followed by others.
        running = beat(count)
            .catch(() => undefined)
            .then(() => {
                if (!stopped) cancel = timing.after(BEAT_MS, () => next(count + 1));
            });
    };
    next(0);
    return () => {
        stopped = true;
        cancel?.();
        return running;
    };
}

async function claim(retry: Retry, store: CommitStore, timing: Timing): Promise<boolean> {
    const claiming = store.claim(retry.id, lifetime(retry, timing));
    try {
        return await inTime(claiming, timing);
    } catch (error) {
        // If it comes through late, nobody holds it.
        claiming.then(claimed => (claimed ? store.release(retry.id) : undefined)).catch(() => undefined);
        throw new CommitStoreError(error);
    }
}

/** Somebody else runs: if it cannot be seen how that ends, it is unknown. */
async function look(retry: Retry, store: CommitStore, timing: Timing): Promise<string | undefined> {
    try {
        return await inTime(store.read(retry.id), timing);
    } catch (cause) {
        throw Object.assign(new OutcomeUnknownError(), { cause });
    }
}

/** A store that does not reply has failed. */
function inTime<T>(reply: Promise<T>, timing: Timing): Promise<T> {
    return new Promise((resolve, reject) => {
        const cancel = timing.after(SILENCE_MS, () => reject(new Error(`no reply within ${SILENCE_MS} ms`)));
        void reply.then(resolve, reject).finally(cancel);
    });
}

function lifetime({ expiresAt }: Retry, timing: Timing): number {
    return Math.max(expiresAt - timing.now(), 0) + CLOCK_SKEW_MS;
}
