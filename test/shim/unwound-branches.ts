/** A process of its own, which ends if a rejection goes unhandled. Argument: `asks`, or `fails` beside it. */
import { setTimeout as delay } from 'node:timers/promises';

import { ask, replyText, scripted } from './scripted-server.js';

const [how] = process.argv.slice(2);

const { play } = scripted(
    async (ctx, attempt) => {
        const branch = async (key: string): Promise<string> => ask(ctx, key);
        const [a, b] = [branch('a'), branch('b')];
        if (how === 'fails' && attempt === 1) void delay(1).then(() => Promise.reject(new Error('of its own')));
        return `${await a} ${await b}`;
    },
    { onSuspend: 'unwind' }
);
const reply = await play({ a: 'to a', b: 'to b' });
await delay(50);
process.stdout.write(`${replyText(reply) ?? ''}\n`);
