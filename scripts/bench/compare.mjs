import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Turns that each side gets in a run: many short ones, so that both see the same busy moments of the machine. */
const TURNS = 30;

/**
 * Times two functions against each other. Every run makes `calls` calls of each, in turns, and gives one ratio; before
 * the first run both are called until they are compiled. A turn ends with a collection of what is young, so that each
 * side pays for its own garbage and not for that of whoever came before.
 *
 * @returns medians over the runs: milliseconds per call of both, and the ratios of time and of processor time with
 * their quartiles.
 */
export async function compare(baseline, candidate, { runs, calls, warmUp }) {
    const sides = [baseline, candidate];
    for (let call = 0; call < warmUp; call++) for (const side of sides) await side();
    const taken = [];
    for (let run = 0; run < runs; run++) {
        const totals = sides.map(() => ({ ms: 0, cpu: 0 }));
        for (let turn = 0; turn < TURNS; turn++) {
            for (const side of turn % 2 === 0 ? [0, 1] : [1, 0]) {
                const { ms, cpu } = await measure(sides[side], calls / TURNS);
                totals[side].ms += ms;
                totals[side].cpu += cpu;
            }
        }
        taken.push(totals);
    }
    const ratio = unit => spread(taken.map(([base, own]) => own[unit] / base[unit]));
    const [baselineMs, candidateMs] = [0, 1].map(side => spread(taken.map(run => run[side].ms / calls)).median);
    return { baselineMs, candidateMs, time: ratio('ms'), cpu: ratio('cpu') };
}

async function measure(call, count) {
    const used = process.cpuUsage();
    const start = performance.now();
    for (let index = 0; index < count; index++) await call();
    collectYoung();
    const { user, system } = process.cpuUsage(used);
    return { ms: performance.now() - start, cpu: (user + system) / 1000 };
}

function spread(values) {
    return { median: quantile(values, 0.5), quartiles: [quantile(values, 0.25), quantile(values, 0.75)] };
}

/** The value below which the share `at` of the values lies, between two of them in proportion. */
function quantile(values, at) {
    const sorted = values.toSorted((a, b) => a - b);
    const place = at * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return low + (high - low) * (place - Math.floor(place));
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

function collectYoung() {
    gc({ type: 'minor' });
}
