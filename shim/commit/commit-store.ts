/**
 * Where the instances of a server agree on which of them finishes a call, and keep how it ended. Without one, the state
 * of a round can be sent again with other answers until it expires (DESIGN rule 15).
 *
 * Whoever can write to the store can forge results, and whoever can read it sees them: it is as trusted as the server.
 * An entry that is lost before its time, by eviction or a restart without persistence, lets its call run again.
 */
export interface CommitStore {
    /**
     * Takes `id` for `ttlMs` milliseconds, atomically: of all that try, exactly one is told `true`. A claim is never
     * taken from its holder.
     */
    claim(id: string, ttlMs: number): Promise<boolean>;
    /** What the holder has written under `id` last; `undefined` if there is nothing, or no claim. */
    read(id: string): Promise<string | undefined>;
    /** Keeps `value` under a claimed `id` for `ttlMs` milliseconds from now, the claim with it. */
    write(id: string, value: string, ttlMs: number): Promise<void>;
    /** Gives back a claim under which nothing has happened. */
    release(id: string): Promise<void>;
}
