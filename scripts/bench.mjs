// npm run bench: what the runtime costs, against the same handlers written by hand with the SDK's own tools.
// In process, without a network. It measures and never judges: the exit code is 0 whatever comes out, because a busy
// machine is no bug. `--runs` and `--calls` (a multiple of 300) change its size.
import { spawnSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isBuilt } from './isBuilt.mjs';

const SETTLE_MS = 25;
const PARKED = 10_000;
const PARKED_KIB = 6;
const BRIDGED = 5000;
const BRIDGED_KIB = 10;

const { values } = parseArgs({
    options: { runs: { type: 'string', default: '15' }, calls: { type: 'string', default: '300' } }
});
const size = { runs: Number(values.runs), calls: Number(values.calls) };

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
if (!isBuilt(repository)) {
    const { status } = spawnSync(process.execPath, [join(repository, 'scripts/build.mjs')], { stdio: 'inherit' });
    if (status !== 0) process.exit(1);
}
// Only now: these import what was built.
const { overhead, settleCost } = await import('./bench/overhead.mjs');
const { stateSizes } = await import('./bench/stateSize.mjs');
const { forgedRetries } = await import('./bench/forged.mjs');
const { bridgeOverhead, serveThroughput } = await import('./bench/bridge.mjs');

console.log(
    `Milliseconds per call, medians of ${size.runs} runs of ${size.calls} calls (of ten rounds, a tenth of them).`
);
console.log('Ratios with their quartiles: of time, against which the target is, and of processor time.\n');
print(['', 'by hand', 'runtime', 'target', 'time', 'processor', ''], (await overhead(size)).map(overheadRow));
const settled = await settleCost(SETTLE_MS);
console.log(`\nA settle window of ${SETTLE_MS} ms (default 0) adds ${settled.toFixed(1)} ms to a round.`);

console.log('\nAn unmodified server of SDK v1 behind bridgeHandler, without the settle window\n');
print(['', 'by hand', 'bridge', 'target', 'time', 'processor', ''], (await bridgeOverhead(size)).map(overheadRow));
const { perSecond, tenNaps } = await serveThroughput();
console.log(
    `\nmcp-mrtr serve with one Node child: ${perSecond.toFixed(0)} calls a second (target ≥ 200); ten calls of 20 ms at ` +
        `once take ${tenNaps.toFixed(1)} times as long as one (target ≤ 5).`
);

console.log('\nA retry with a forged state, against other requests\n');
print(
    ['', 'other', 'forged', 'target', 'time', ''],
    (await forgedRetries(size)).map(({ name, baselineMs, candidateMs, time, target }) => [
        name,
        baselineMs.toFixed(3),
        candidateMs.toFixed(3),
        target === undefined ? '' : `≤ ${target.toFixed(2)}`,
        showSpread(time),
        target === undefined ? '' : time.median <= target ? 'met' : 'not met'
    ])
);

// Where others compete for the processors, time says how often a process was made to wait, not what it did.
const [load] = loadavg();
console.log(`\nLoad of the machine: ${load.toFixed(1)} on ${availableParallelism()} processors.`);

console.log('\nSealed state, in bytes\n');
print(
    ['', 'entries', 'their JSON', 'sealed', 'target', ''],
    (await stateSizes()).map(({ name, entries, bytes, sealed, bound }) => [
        name,
        entries,
        bytes,
        sealed,
        `≤ ${bound}`,
        sealed <= bound ? 'met' : 'not met'
    ])
);

const [parked] = heldBy('parkedHeap.mjs', PARKED);
console.log(`\nEach of ${PARKED} parked calls holds ${parked.toFixed(2)} KiB of heap: ${verdict(parked, PARKED_KIB)}.`);
const [sdk, traced, bridged] = heldBy('bridgeHeap.mjs', BRIDGED);
console.log(
    `Each of ${BRIDGED} calls that wait behind bridgeHandler holds ${bridged.toFixed(2)} KiB: ` +
        `${verdict(bridged, BRIDGED_KIB)}. Of it ${traced.toFixed(2)} KiB are what a bare server of SDK v1 holds for a ` +
        `call in an async context (${sdk.toFixed(2)} without one).`
);

/** What a script of `bench/` has measured in a process of its own, in KiB. */
function heldBy(script, count) {
    const path = join(repository, 'scripts/bench', script);
    const { stdout } = spawnSync(process.execPath, ['--expose-gc', path, String(count)], { encoding: 'utf8' });
    return Object.values(JSON.parse(stdout)).map(bytes => bytes / 1024);
}

function verdict(kibibytes, target) {
    return `target ≤ ${target}, ${kibibytes <= target ? 'met' : 'not met'}`;
}

function overheadRow({ name, baselineMs, candidateMs, time, cpu, target }) {
    return [
        name,
        baselineMs.toFixed(3),
        candidateMs.toFixed(3),
        `≤ ${target.toFixed(2)}`,
        showSpread(time),
        showSpread(cpu),
        time.median <= target ? 'met' : 'not met'
    ];
}

function showSpread({ median, quartiles }) {
    return `${median.toFixed(2)} (${quartiles.map(value => value.toFixed(2)).join('–')})`;
}

/** Columns that are as wide as they have to be, the first to the left and the others to the right. */
function print(head, rows) {
    const lines = [head, ...rows].map(line => line.map(String));
    const widths = head.map((_, column) => Math.max(...lines.map(line => line[column].length)));
    for (const [first, ...others] of lines) {
        const cells = others.map((cell, index) => cell.padStart(widths[index + 1]));
        console.log([`  ${first.padEnd(widths[0])}`, ...cells].join('  ').trimEnd());
    }
}
