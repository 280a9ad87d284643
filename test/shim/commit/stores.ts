import { createClient } from 'redis';

import { createMemoryCommitStore, createRedisCommitStore } from '../../../shim/index.js';
import type { CommitStore } from '../../../shim/index.js';
import { hasRedisServer, redisNote, startRedisServer } from './redis-server.js';

/** A store as the instances of a server have it: each with a connection of its own. */
export interface SharedStore {
    readonly connect: () => Promise<CommitStore>;
    readonly close: () => Promise<void>;
}

/** A kind of store that the whole suite runs against. */
export interface StoreKind {
    readonly name: string;
    readonly available: boolean;
    readonly open: () => Promise<SharedStore>;
}

const memory: StoreKind = {
    name: 'in memory',
    available: true,
    open: () => {
        const store = createMemoryCommitStore();
        return Promise.resolve({ connect: () => Promise.resolve(store), close: () => Promise.resolve() });
    }
};

const redis: StoreKind = {
    name: `in Redis${redisNote}`,
    available: hasRedisServer,
    open: async () => {
        const server = await startRedisServer();
        const clients: { destroy(): void }[] = [];
        return {
            async connect() {
                const client = createClient({ url: server.url });
                await client.connect();
                clients.push(client);
                return createRedisCommitStore(client);
            },
            async close() {
                for (const client of clients) client.destroy();
                await server.close();
            }
        };
    }
};

export const STORE_KINDS: readonly StoreKind[] = [memory, redis];
