import { describe, expect, it } from 'vitest';

import type { Attempt } from '../../../shim/exchange/attempt.js';
import { ask, flowOf, suspendedWith } from './flow.js';
import type { Flow } from './flow.js';

describe('quiescence', () => {
    it('is two quiet turns: an ask in the second one still belongs to the round', async () => {
        const { timing, step } = flowOf(async attempt => {
            const later = new Promise<void>(resolve => timing.turn(() => timing.turn(resolve)));
            await Promise.all([ask(attempt, 'a'), later.then(() => ask(attempt, 'b'))]);
        });
        expect(suspendedWith(await step())).toEqual(['a', 'b']);
    });

    it('starts anew with every ask', async () => {
        const { timing, step } = flowOf(async attempt => {
            const asks = [ask(attempt, 'a')];
            for (let n = 0; n < 20; n++) {
                await new Promise<void>(resolve => timing.turn(resolve));
                asks.push(ask(attempt, `b${n}`));
            }
            await Promise.all(asks);
        });
        expect(suspendedWith(await step())).toHaveLength(21);
    });

    it('waits for the settle window, anew after every ask', async () => {
        const { timing, step } = flowOf(
            async attempt => {
                const at = (ms: number, key: string) => timing.sleep(ms).then(() => ask(attempt, key));
                await Promise.all([ask(attempt, 'a'), at(20, 'b'), at(40, 'c'), at(100, 'd')]);
            },
            { settleMs: 25 }
        );
        expect(suspendedWith(await step())).toEqual(['a', 'b', 'c']);
        expect(timing.now()).toBe(65);
    });

    it('does not come while a once runs, however long', async () => {
        const { timing, step } = flowOf(async attempt => {
            const slow = attempt.once('slow', () => timing.sleep(60_000)).then(() => ask(attempt, 'b'));
            await Promise.all([ask(attempt, 'a'), slow]);
        });
        expect(suspendedWith(await step())).toEqual(['a', 'b']);
        expect(timing.now()).toBe(60_000);
    });

    it('comes after 2 s, though a sibling never rests', async () => {
        const started: number[] = [];
        const { timing, step } = flowOf(async attempt => {
            const restless = async (): Promise<never> => {
                for (let n = 0; ; n++) {
                    started.push(n);
                    await attempt.once('tick', () => timing.sleep(100));
                }
            };
            await Promise.all([ask(attempt, 'a'), restless(), restless()]);
        });
        expect(suspendedWith(await step())).toEqual(['a']);
        expect(timing.now()).toBeLessThanOrEqual(2200);
        expect(started.length).toBeGreaterThan(20);
    });

    it('does not come without an ask', async () => {
        const { timing, step } = flowOf(async () => {
            await timing.sleep(100_000);
            return 'done';
        });
        expect(await step()).toEqual({ kind: 'finished', value: 'done' });
    });

    it('loses to a handler that finishes or throws first', async () => {
        const finishing = flowOf(attempt => {
            void ask(attempt, 'a');
            return 'done';
        });
        expect(await finishing.step()).toEqual({ kind: 'finished', value: 'done' });
        const throwing = flowOf(async attempt => {
            await Promise.all([ask(attempt, 'a'), Promise.reject(new Error('no'))]);
        });
        expect(await throwing.step()).toEqual({ kind: 'threw', error: new Error('no') });
    });
});

describe('recorded outcomes', () => {
    it('are given in recorded order, whatever the order of the asks', async () => {
        const winners: string[] = [];
        const { timing, step } = flowOf(
            async (attempt, number) => {
                const branch = async (key: string, ms: number): Promise<string> => {
                    await timing.sleep(ms);
                    await ask(attempt, key);
                    return key;
                };
                // The branch that was last is first on every other attempt.
                const slow = number % 2 === 0 ? 200 : 0;
                const winner = await Promise.race([branch('a', slow), branch('b', 200 - slow)]);
                winners.push(winner);
                await ask(attempt, `after-${winner}`);
                await ask(attempt, 'last');
                return winner;
            },
            { settleMs: 300 }
        );
        expect(suspendedWith(await step())).toEqual(['a', 'b']);
        expect(suspendedWith(await step({ b: 1 }))).toEqual(['after-b', 'a']);
        expect(suspendedWith(await step({ a: 1, 'after-b': 1 }))).toEqual(['last']);
        expect(await step({ last: 1 })).toEqual({ kind: 'finished', value: 'b' });
        expect(winners).toEqual(['b', 'b', 'b']);
    });

    it('come one per macrotask', async () => {
        const { timing, step } = flowOf(async attempt => {
            const order: string[] = [];
            const branch = async (key: string): Promise<void> => {
                await ask(attempt, key);
                for (let n = 0; n < 50; n++) await Promise.resolve();
                order.push(`${key} done`);
            };
            timing.turn(() => order.push('turn'));
            await Promise.all([branch('a'), branch('b')]);
            return order;
        });
        await step();
        expect(await step({ a: 1, b: 2 })).toEqual({ kind: 'finished', value: ['turn', 'a done', 'b done'] });
    });

    it('do not wait for ever for one that is not wanted any more', async () => {
        const { timing, step, journal } = flowOf(async (attempt, number) => {
            if (number < 3) await ask(attempt, 'a');
            await ask(attempt, 'b');
            await ask(attempt, 'c');
            return 'done';
        });
        await step();
        await step({ a: 1 });
        expect(suspendedWith(await step({ b: 2 }))).toEqual(['c']);
        expect(timing.now()).toBe(1000);
        expect(journal().held).toEqual([{ kind: 'answer', key: 'a', digest: 'a?', value: 1 }]);
        expect(await step({ c: 3 })).toEqual({ kind: 'finished', value: 'done' });
    });

    it('keep the order of onces and answers among each other', async () => {
        const { timing, step }: Flow<string> = flowOf(async (attempt, number): Promise<string> => {
            const slow = attempt.once('slow', () => timing.sleep(number === 1 ? 50 : 0)).then(() => 'once');
            const answered = ask(attempt, 'a').then(() => 'answer');
            const winner = await Promise.race([slow, answered]);
            await ask(attempt, 'b');
            return winner;
        });
        await step();
        await step({ a: 1 });
        expect(await step({ b: 2 })).toEqual({ kind: 'finished', value: 'once' });
    });
});

describe('the journal', () => {
    it('carries what was given, in order, and digests of what was asked, but no texts', async () => {
        const { step, journal } = flowOf(async attempt => {
            await attempt.once('first', () => 1);
            attempt.onceSync('sync', () => 'now');
            await Promise.all([ask(attempt, 'a', 'The text of A'), ask(attempt, 'b', 'The text of B')]);
            await attempt.once('second', () => Promise.reject(new TypeError('no')));
        });
        await step();
        expect(journal()).toEqual({
            id: 'flow',
            round: 1,
            asked: [
                { key: 'a', digest: 'The text of A' },
                { key: 'b', digest: 'The text of B' }
            ],
            pages: [],
            entries: [{ kind: 'once', key: 'first', outcome: { value: 1 } }],
            held: [],
            syncs: [{ kind: 'once', key: 'sync', outcome: { value: 'now' } }],
            stalls: 0
        });
        await step({ b: 'B' });
        expect(journal().entries.map(({ key }) => key)).toEqual(['first', 'b']);
        expect(journal().asked.map(({ key }) => key)).toEqual(['a']);
        expect(await step({ a: 'A' })).toMatchObject({ kind: 'threw' });
    });

    it('counts stalls in a row, and forgets them with the first answer that is claimed', async () => {
        let text = 0;
        const { step, journal } = flowOf(async (attempt, number) => {
            await ask(attempt, 'a', number === 3 ? `${text}` : `${++text}`);
            await ask(attempt, 'b', `${++text}`);
        });
        await step();
        await step({ a: 1 });
        expect(journal().stalls).toBe(1);
        expect(suspendedWith(await step({ a: 1 }))).toEqual(['b']);
        expect(journal().stalls).toBe(0);
    });

    it('does not count an answer of the wrong shape', async () => {
        const { step, journal } = flowOf(attempt => ask(attempt, 'a'));
        await step();
        for (let times = 0; times < 4; times++) {
            expect(suspendedWith(await step({ a: 'malformed' }))).toEqual(['a']);
            expect(journal().stalls).toBe(0);
        }
        expect(await step({ a: 'well' })).toEqual({ kind: 'finished', value: 'well' });
    });
});

describe('a handler that finishes without the question that was answered', () => {
    const program = (attempt: Attempt, number: number) => (number === 1 ? ask(attempt, 'a') : 'failure');

    it('is not believed, be it a failure', async () => {
        const { step } = flowOf(program);
        await step();
        expect(await step({ a: 1 })).toMatchObject({ kind: 'failed', error: { name: 'ReplayDivergedError' } });
    });

    it('is waited for, while a branch that lost a race comes closer to the question', async () => {
        const { timing, step }: Flow<string> = flowOf(async (attempt, number): Promise<string> => {
            const loser = async (): Promise<never> => {
                for (const key of ['a', 'b', 'c']) {
                    if (number > 1) await timing.sleep(600);
                    await ask(attempt, key);
                }
                return new Promise(() => undefined);
            };
            await Promise.race([loser(), timing.sleep(number < 4 ? 5000 : 0)]);
            return 'done';
        });
        await step();
        await step({ a: 1 });
        expect(suspendedWith(await step({ b: 2 }))).toEqual(['c']);
        expect(await step({ c: 3 })).toEqual({ kind: 'finished', value: 'done' });
    });

    it('is believed if it failed before it began, as when the SDK refuses its arguments', async () => {
        const { step } = flowOf(program, {}, number => number === 1);
        await step();
        expect(await step({ a: 1 })).toEqual({ kind: 'finished', value: 'failure' });
    });
});
