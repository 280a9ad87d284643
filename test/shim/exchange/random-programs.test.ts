import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { Attempt } from '../../../shim/exchange/attempt.js';
import { ask, flowOf } from './flow.js';
import type { Flow } from './flow.js';
import type { VirtualTiming } from './virtual-timing.js';

/** A handler without hidden inputs: all that it does follows from its text and the answers it got. */
type Statement =
    | { readonly do: 'ask'; readonly key: string }
    | { readonly do: 'once'; readonly key: string }
    | { readonly do: 'wait' }
    | { readonly do: 'all' | 'race'; readonly branches: readonly Statement[][] }
    | { readonly do: 'loop'; readonly times: number; readonly body: readonly Statement[] }
    | {
          readonly do: 'if';
          readonly key: string;
          readonly then: readonly Statement[];
          readonly else: readonly Statement[];
      };

const key = fc.constantFrom('a', 'b', 'c', 'd');

const { block } = fc.letrec<{ statement: Statement; block: Statement[] }>(tie => ({
    statement: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.record({ do: fc.constant('ask' as const), key }),
        fc.record({ do: fc.constant('once' as const), key }),
        fc.constant({ do: 'wait' as const }),
        fc.record({
            do: fc.constantFrom('all' as const, 'race' as const),
            branches: fc.array(tie('block'), { minLength: 1, maxLength: 3 })
        }),
        fc.record({ do: fc.constant('loop' as const), times: fc.nat({ max: 3 }), body: tie('block') }),
        fc.record({ do: fc.constant('if' as const), key, then: tie('block'), else: tie('block') })
    ),
    block: fc.array(tie('statement'), { maxLength: 4 })
}));

/** Latencies of one attempt, on a warm instance and on one that is colder than any wait of the engine. */
const warm = fc.array(fc.constantFrom(0, 0, 1, 30), { minLength: 1, maxLength: 6 });
const cold = fc.array(fc.constantFrom(0, 1, 400, 1500, 3000), { minLength: 1, maxLength: 6 });

interface Run {
    readonly attempt: Attempt;
    readonly timing: VirtualTiming;
    readonly latency: () => number;
    /** What each question was, and what the handler got for it. */
    readonly got: [question: string, answer: unknown][];
    readonly onces: Map<string, number>;
}

/** `path` makes keys unique per place in the text, as the codemod makes them: branches share no key. */
async function execute(statements: readonly Statement[], run: Run, path: string): Promise<void> {
    for (const [index, statement] of statements.entries()) {
        const place = `${path}/${index}`;
        switch (statement.do) {
            case 'ask':
                await put(statement.key, run, place);
                break;
            case 'once': {
                const name = `${statement.key}${place}`;
                const value = await run.attempt.once(name, async () => {
                    await run.timing.sleep(run.latency());
                    return name;
                });
                expect(value).toBe(name);
                break;
            }
            case 'wait':
                await run.timing.sleep(run.latency());
                break;
            case 'all':
                await Promise.all(statement.branches.map((branch, n) => execute(branch, run, `${place}.${n}`)));
                break;
            case 'race':
                await Promise.race(statement.branches.map((branch, n) => execute(branch, run, `${place}.${n}`)));
                break;
            case 'loop':
                for (let time = 0; time < statement.times; time++)
                    await execute(statement.body, run, `${place}x${time}`);
                break;
            case 'if': {
                const answer = (await put(statement.key, run, place)) as string;
                await execute(answer.length % 2 === 0 ? statement.then : statement.else, run, `${place}?`);
                break;
            }
        }
    }
}

async function put(name: string, run: Run, place: string): Promise<unknown> {
    const question = `${name} at ${place}?`;
    const answer = await ask(run.attempt, `${name}${place}`, question);
    run.got.push([question, answer]);
    return answer;
}

/** Races in which a branch waits by itself have another winner on another day; they are no correct programs. */
function isDeterministic(statements: readonly Statement[], raced = false): boolean {
    return statements.every(statement => {
        switch (statement.do) {
            case 'wait':
            case 'once':
                return !raced;
            case 'race':
                return statement.branches.every(branch => isDeterministic(branch, true));
            case 'all':
                return statement.branches.every(branch => isDeterministic(branch, raced));
            case 'loop':
                return isDeterministic(statement.body, raced);
            case 'if':
                return isDeterministic(statement.then, raced) && isDeterministic(statement.else, raced);
            case 'ask':
                return true;
        }
    });
}

/** How many questions the program can ask at most. */
function questions(statements: readonly Statement[]): number {
    return statements.reduce((sum, statement) => {
        switch (statement.do) {
            case 'ask':
                return sum + 1;
            case 'all':
            case 'race':
                return sum + statement.branches.reduce((inner, branch) => inner + questions(branch), 0);
            case 'loop':
                return sum + statement.times * questions(statement.body);
            case 'if':
                return sum + 1 + Math.max(questions(statement.then), questions(statement.else));
            case 'once':
            case 'wait':
                return sum;
        }
    }, 0);
}

it('every answer reaches exactly the question that was shown, and no correct program diverges', async () => {
    const rounds = fc.array(
        fc.record({ warm, cold, answered: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }) }),
        {
            minLength: 1,
            maxLength: 8
        }
    );
    await fc.assert(
        fc.asyncProperty(block, rounds, async (program, schedule) => {
            fc.pre(isDeterministic(program) && questions(program) <= 40);
            const got: Run['got'] = [];
            const onces = new Map<string, number>();
            let round = 0;
            const flow: Flow<void> = flowOf(attempt => {
                let place = 0;
                // Two cold instances in a row are what the engine may take for a handler that has changed its mind.
                const times = schedule[round % schedule.length]![round % 2 === 0 ? 'warm' : 'cold'];
                got.length = 0;
                const latency = (): number => times[place++ % times.length]!;
                return execute(program, { attempt, timing: flow.timing, latency, got, onces }, '');
            });
            let answers: Record<string, unknown> = {};
            for (;;) {
                const outcome = await flow.step(answers);
                if (outcome.kind === 'failed') throw outcome.error;
                if (outcome.kind === 'threw') throw outcome.error as Error;
                for (const [question, answer] of got) expect(answer).toBe(`to ${question}`);
                if (outcome.kind === 'finished') break;
                expect(outcome.kind).toBe('suspended');
                if (outcome.kind !== 'suspended') break;
                const { answered } = schedule[round % schedule.length]!;
                // At least one answer: a client that answers nothing gets nowhere, which is no matter of ours.
                answers = Object.fromEntries(
                    outcome.asks
                        .filter((_, n) => n === round % outcome.asks.length || answered[n % answered.length])
                        .map(({ key: asked, question }) => [asked, `to ${String(question.request.params?.['text'])}`])
                );
                // Every round brings at least one answer, and none of them is asked for twice.
                expect(++round).toBeLessThanOrEqual(questions(program));
            }
        }),
        { numRuns: 1000 }
    );
});
