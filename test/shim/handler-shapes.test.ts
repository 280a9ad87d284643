import { describe, expect, it } from 'vitest';

import { play, SHAPES } from './shapes.js';

describe.each(SHAPES)('$name', shape => {
    it.each(['http', 'stdio'] as const)('ends over %s as on a 2025-era connection', async wire => {
        const pushed = await play(shape, 'legacy');
        const replayed = await play(shape, wire);
        expect({ text: replayed.text, isError: replayed.isError, log: replayed.log }).toEqual({
            text: pushed.text,
            isError: pushed.isError,
            log: pushed.log
        });
        // Each question is put to the user once, whatever the number of attempts.
        expect(replayed.asked.toSorted()).toEqual(shape.leavesAskOpen ? [] : pushed.asked.toSorted());
    });
});

it('joins asks that start within the settle window', async () => {
    const staggered = SHAPES.find(({ name }) => name === 'second ask 10 ms later')!;
    const result = await play({ ...staggered, settleMs: 50, scene: { maxRounds: 1 } }, 'http');
    expect(result).toMatchObject({ text: 'a,b', asked: ['a', 'b'] });
});
