// npm run soak: hours of calls of every kind against a real server, after which its heap has to be where it was after
// the warm-up (±10 %), and every answer has to have reached its own question. `--minutes` (30) says how long, `--rate`
// (60) how many calls are begun per second. Ends with 1 if something was wrong.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect, playRight, playWrong } from './soak/flows.mjs';
import { playSlowUser } from './soak/slowUser.mjs';

const TOLERANCE = 0.1;
/** Of ten calls so many are played by a client that does not keep to the protocol. */
const WRONG_OF_TEN = 2;
/** How long slow users take: longer than the 60 seconds after which the SDK gives up a request. */
const SLOW_USER_MS = 90_000;
const SAMPLE_MS = 15_000;
/** The server forgets the results of parked rounds after a minute, and a round's calls after their time. */
const KEPT_SECONDS = 60;

const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: '60' } }
});
const seconds = Number(values.minutes) * 60;
// A call that nobody comes back to waits for so long: by the end of the warm-up as many end as begin.
const ttlSeconds = Math.max(100, Math.round(seconds / 15));
const warmUpSeconds = ttlSeconds + KEPT_SECONDS + 20;
if (!(seconds >= 2 * warmUpSeconds)) {
    console.error(
        `--minutes must be at least ${Math.ceil((2 * warmUpSeconds) / 60)}: the warm-up takes ${warmUpSeconds} s`
    );
    process.exit(2);
}

const script = join(dirname(fileURLToPath(import.meta.url)), 'soak/server.mjs');
const server = fork(script, [String(ttlSeconds)], { execArgv: ['--expose-gc'] });
const [{ port }] = await once(server, 'message');
const url = `http://127.0.0.1:${port}/mcp`;
const client = await connect(url);
const slow = await connect(url, () => SLOW_USER_MS);

const began = performance.now();
const elapsed = () => (performance.now() - began) / 1000;
const counts = { begun: 0, right: 0, wrong: 0 };
const faults = [];
const samples = [];

const sampling = sampleHeap();
const slowCalls = [playRight(slow, 1), playSlowUser(SLOW_USER_MS)].map(call => call.catch(fault));
await playAll();
await Promise.all([sampling, ...slowCalls]);
await Promise.all([client.close(), slow.close()]);
server.disconnect();

const warm = samples.filter(({ at }) => at >= warmUpSeconds);
const third = Math.ceil(warm.length / 3);
const [first, last] = [warm.slice(0, third), warm.slice(-third)].map(part => median(part.map(({ heap }) => heap)));
const change = last / first - 1;
console.log(
    `${counts.begun} calls in ${Math.round(elapsed())} s: ${counts.right} played to their end, ${counts.wrong} by clients ` +
        `that do not keep to the protocol; users who took ${SLOW_USER_MS / 1000} s were waited for. Faults: ${faults.length}.`
);
console.log(
    `Heap after warm-up ${mebibytes(first)}, at the end ${mebibytes(last)}: ${(100 * change).toFixed(1)} % ` +
        `(allowed ±${100 * TOLERANCE} %), medians of ${third} samples each.`
);
for (const message of faults.slice(0, 10)) console.error(message);
process.exitCode = faults.length > 0 || Math.abs(change) > TOLERANCE ? 1 : 0;

/** Begins calls at a steady rate, whatever becomes of them. */
async function playAll() {
    const rate = Number(values.rate);
    const running = new Set();
    while (elapsed() < seconds) {
        const due = Math.floor(elapsed() * rate);
        // A machine that cannot keep up gets fewer calls, not a heap full of them.
        for (; counts.begun < due && running.size < rate; counts.begun++) {
            const call = play(counts.begun).catch(fault);
            running.add(call);
            void call.then(() => running.delete(call));
        }
        await delay(10);
    }
    await Promise.all(running);
}

async function play(flow) {
    if (flow % 10 < WRONG_OF_TEN) {
        await playWrong(url, Math.floor(flow / 10) * WRONG_OF_TEN + (flow % 10));
        counts.wrong++;
    } else {
        await playRight(client, flow);
        counts.right++;
    }
}

async function sampleHeap() {
    while (elapsed() < seconds) {
        server.send('heap');
        const [{ heap }] = await once(server, 'message');
        samples.push({ at: elapsed(), heap });
        console.log(`${Math.round(elapsed())} s: ${mebibytes(heap)}, ${counts.begun} calls, ${faults.length} faults`);
        await delay(Math.min(SAMPLE_MS, Math.max(0, (seconds - elapsed()) * 1000)));
    }
}

function fault(error) {
    faults.push(error instanceof Error ? error.message : String(error));
}

function median(values) {
    return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function mebibytes(bytes) {
    return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
