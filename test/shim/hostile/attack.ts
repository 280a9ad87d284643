/**
 * Sends forged retries to a server, in a process that holds nothing else, and prints what became of them: run with
 * `--expose-gc`. Argument: how many.
 */
import { setTimeout as delay } from 'node:timers/promises';

import { ask, scripted } from '../scripted-server.js';
import { FORGERIES } from './forgeries.js';

/** Printed as JSON. */
export interface Attack {
    readonly sent: number;
    /** Handlers that were started by the true call and by the forged retries. */
    readonly attempts: number;
    /** Replies that were no error, by forgery. */
    readonly accepted: Record<string, number>;
    /** Codes of the errors. */
    readonly codes: number[];
    readonly heapBefore: number;
    readonly heapAfter: number;
}

const count = Number(process.argv[2]);
const { call, attempts } = scripted(ctx => ask(ctx, 'sure'));
const state = (await call()).result!.requestState!;
const forgeries = Object.entries(FORGERIES);
const accepted: Record<string, number> = {};
const codes = new Set<number>();

async function send(n: number): Promise<void> {
    const [name, forge] = forgeries[n % forgeries.length]!;
    const { error } = await call(forge(state, n));
    if (error === undefined) accepted[name] = (accepted[name] ?? 0) + 1;
    else codes.add(error.code);
}

async function settledHeap(): Promise<number> {
    for (let tries = 0; tries < 5; tries++) {
        await delay(20);
        (globalThis as { gc?: () => void }).gc?.();
    }
    return process.memoryUsage().heapUsed;
}

for (let n = 0; n < count / 5; n++) await send(n);
const heapBefore = await settledHeap();
for (let n = 0; n < count; n++) await send(n);
const report: Attack = {
    sent: count,
    attempts: attempts(),
    accepted,
    codes: [...codes].sort((a, b) => a - b),
    heapBefore,
    heapAfter: await settledHeap()
};
process.stdout.write(JSON.stringify(report));
