import { connect } from './client.mjs';
import { compare } from './compare.mjs';
import { handWritten, TOOL, withRuntime } from './servers.mjs';

/** What a call may cost, as a multiple of the same one written by hand. */
const CASES = [
    { name: 'asks nothing', rounds: 0, target: 1.1 },
    { name: 'one round', rounds: 1, target: 1.3 },
    { name: 'ten rounds, one after the other', rounds: 10, target: 1.5 }
];

/** Requests of each side before the first that counts: V8 takes this long to have compiled what it is going to. */
const WARM_UP_REQUESTS = 2000;

/** One row per case: its target, and what {@link compare} says of the call by hand and with the runtime. */
export async function overhead(size) {
    const rows = [];
    for (const { name, rounds, target } of CASES) {
        const [byHand, own] = [handWritten(rounds), withRuntime(rounds)].map(factory => caller(factory, rounds));
        rows.push({ name, target, ...(await compare(byHand, own, sizeOf(rounds, size))) });
    }
    return rows;
}

/** Milliseconds that a settle window adds to a round. */
export async function settleCost(settleMs) {
    const [without, settling] = [{}, { settleMs }].map(options => caller(withRuntime(1, options), 1));
    const { baselineMs, candidateMs } = await compare(without, settling, { runs: 3, calls: 30, warmUp: 0 });
    return candidateMs - baselineMs;
}

/** A call of ten rounds is eleven requests: a tenth of the calls is as long a run. */
function sizeOf(rounds, { runs, calls }) {
    return { runs, calls: calls / Math.max(rounds, 1), warmUp: WARM_UP_REQUESTS / (rounds + 1) };
}

/** A function that plays a whole call, and fails if it did not go as it should: a fast wrong answer is no result. */
function caller(factory, rounds) {
    const call = connect(factory, key => ({ answer: `the answer to ${key}` }));
    const expected = ['A-17', ...Array.from({ length: rounds }, (_, index) => `the answer to question-${index + 1}`)];
    return async () => {
        const results = await call(TOOL, { order: 'A-17' });
        const said = results.at(-1).content[0].text;
        if (results.length === rounds + 1 && said === expected.join(' ')) return;
        throw new Error(`A call of ${rounds} rounds took ${results.length - 1} and said: ${said}`);
    };
}
