import type { CommitStore } from './commit-store.js';

export interface MemoryCommitStoreOptions {
    /** How many claims are kept at most; when they are all alive, no further call is continued. @default 100000 */
    readonly maxClaims?: number;
    /** How many characters of outcomes are kept at most; the oldest go first. @default 33554432 */
    readonly maxCharacters?: number;
}

const DEFAULT_MAX_CLAIMS = 100_000;
const DEFAULT_MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * A commit store for a server of one process, whose claims end with it.
 *
 * Bounded on the safe side: an outcome that had to go leaves its claim, so the call is not run again. If there is no
 * room for a claim, claiming fails.
 */
export function createMemoryCommitStore(options: MemoryCommitStoreOptions = {}): CommitStore {
    const { maxClaims = DEFAULT_MAX_CLAIMS, maxCharacters = DEFAULT_MAX_CHARACTERS } = options;
    /** End of each claim, in milliseconds since the epoch, in the order of the claims. */
    const claims = new Map<string, number>();
    /** In the order in which they were written last. */
    const values = new Map<string, string>();
    let characters = 0;

    const drop = (id: string): void => {
        characters -= values.get(id)?.length ?? 0;
        values.delete(id);
    };
    const isAlive = (id: string): boolean => (claims.get(id) ?? 0) > Date.now();
    const forget = (id: string): void => {
        claims.delete(id);
        drop(id);
    };
    /** Most claims end in the order in which they began, so looking at the first ones is nearly always enough. */
    const sweep = (whole: boolean): void => {
        for (const id of claims.keys()) {
            if (!isAlive(id)) forget(id);
            else if (!whole) return;
        }
    };

    // Each function is one step of the event loop: that makes the claim atomic.
    return {
        claim(id, ttlMs) {
            if (isAlive(id)) return Promise.resolve(false);
            sweep(claims.size >= maxClaims);
            if (claims.size >= maxClaims) return Promise.reject(new Error(`${maxClaims} claims are alive`));
            forget(id);
            claims.set(id, Date.now() + ttlMs);
            return Promise.resolve(true);
        },
        read: id => Promise.resolve(isAlive(id) ? values.get(id) : undefined),
        write(id, value, ttlMs) {
            claims.set(id, Date.now() + ttlMs);
            drop(id);
            values.set(id, value);
            characters += value.length;
            for (const oldest of values.keys()) {
                if (characters <= maxCharacters) break;
                drop(oldest);
            }
            return Promise.resolve();
        },
        release(id) {
            forget(id);
            return Promise.resolve();
        }
    };
}
