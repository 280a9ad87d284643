/** One instance of a server in a process of its own: takes frames from its parent, and never ends what it commits. */
import { createClient } from 'redis';

import { createRedisCommitStore } from '../../../shim/index.js';
import type { Frame } from '../frames.js';
import { ask, scripted } from '../scripted-server.js';

const client = createClient({ url: process.argv[2]! });
await client.connect();
const { call } = scripted(
    async ctx => {
        await ask(ctx, 'sure');
        process.send?.('committing');
        return new Promise(() => undefined);
    },
    {},
    { commitStore: createRedisCommitStore(client) }
);
process.on('message', (retry: Omit<Frame, 'params'>) => void call(retry));
