import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { ask } from '../scripted-server.js';
import { play, SHAPES } from '../shapes.js';
import type { Shape } from '../shapes.js';

/** Shapes that replay cannot play: a second run starts their timer again, and repeats what they have done. */
const PARKED_SHAPES: Shape[] = [
    {
        name: 'race with a timer that the user loses',
        run: async ctx => Promise.race([ask(ctx, 'a'), delay(60, 'too late')]),
        scene: { elicit: () => delay(300).then(() => ({ action: 'decline' })) }
    },
    {
        name: 'race with a timer that the user wins',
        run: async ctx => Promise.race([ask(ctx, 'a'), delay(5000, 'too late', { ref: false })]),
        scene: { elicit: () => ({ action: 'decline' }) }
    },
    {
        name: 'effects before, between and after the asks',
        run: async (ctx, log) => {
            log.push('before');
            const a = await ask(ctx, 'a');
            log.push('between');
            const b = await ask(ctx, 'b');
            log.push('after');
            return `${a} ${b}`;
        }
    },
    {
        name: 'a lock that is held over the ask',
        run: async (ctx, log) => {
            log.push('lock');
            try {
                return await ask(ctx, 'a');
            } finally {
                log.push('unlock');
            }
        }
    },
    {
        name: 'a question that is another one each time',
        run: async ctx => (await ask(ctx, 'a', `Now ${process.hrtime.bigint()}?`)).replace(/\d+/, 'then'),
        anyQuestion: true
    },
    {
        name: 'a branch that goes on between the rounds',
        run: async (ctx, log) => {
            const [a] = await Promise.all([ask(ctx, 'a'), delay(40).then(() => log.push('slept'))]);
            return a;
        },
        scene: { elicit: () => delay(120).then(() => ({ action: 'decline' })) }
    }
];

describe.each(['park', 'auto'] as const)('mode %s', mode => {
    describe.each([...SHAPES, ...PARKED_SHAPES])('$name', shape => {
        it.each(['http', 'stdio'] as const)('ends over %s as on a 2025-era connection, in one run', async wire => {
            const [pushed, parked] = await Promise.all([play(shape, 'legacy', { mode }), play(shape, wire, { mode })]);
            expect({ text: parked.text, isError: parked.isError, log: parked.log, runs: 1 }).toEqual({
                text: pushed.text,
                isError: pushed.isError,
                log: pushed.log,
                runs: pushed.runs
            });
            expect(parked.runs).toBe(1);
            if (shape.anyQuestion) return;
            // Each question is put to the user once, whatever the number of rounds.
            expect(parked.asked.toSorted()).toEqual(shape.leavesAskOpen ? [] : pushed.asked.toSorted());
        });
    });
});
