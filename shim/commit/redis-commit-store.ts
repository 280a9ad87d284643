import type { CommitStore } from './commit-store.js';

/**
 * What the adapter needs of a connected client of the `redis` package (`createClient`, `createClientPool`).
 *
 * Commands in plain words: the options of `client.set` have changed their names between majors, and a claim whose `NX`
 * is not understood would always succeed.
 */
export interface RedisCommands {
    sendCommand(args: string[]): Promise<unknown>;
}

export interface RedisCommitStoreOptions {
    /** Put before every key. @default 'mcp-mrtr:commit:' */
    readonly prefix?: string;
}

const DEFAULT_PREFIX = 'mcp-mrtr:commit:';

/**
 * A commit store for several instances, in Redis. The database must not evict (`maxmemory-policy noeviction`), and has
 * to survive its own restart. With `disableOfflineQueue: true` in the client, retries fail at once while Redis cannot be
 * reached, and not after a while.
 *
 * @param client connected, and closed by whoever made it.
 */
export function createRedisCommitStore(client: RedisCommands, options: RedisCommitStoreOptions = {}): CommitStore {
    const { prefix = DEFAULT_PREFIX } = options;
    const expiry = (ttlMs: number): string[] => ['PX', String(Math.ceil(ttlMs))];
    return {
        claim: async (id, ttlMs) =>
            // The reply is null where the key existed. It can also be lost; then the claim is nobody's, which is safe.
            (await client.sendCommand(['SET', prefix + id, '', 'NX', ...expiry(ttlMs)])) !== null,
        async read(id) {
            const reply = await client.sendCommand(['GET', prefix + id]);
            // A client may be set up to reply with buffers.
            const text = Buffer.isBuffer(reply) ? reply.toString('utf8') : reply;
            return typeof text === 'string' && text !== '' ? text : undefined;
        },
        async write(id, value, ttlMs) {
            await client.sendCommand(['SET', prefix + id, value, ...expiry(ttlMs)]);
        },
        async release(id) {
            await client.sendCommand(['DEL', prefix + id]);
        }
    };
}
