import { expect, it } from 'vitest';
import { TIME_LIMIT } from '../../../codemods/facts/effects.js';

it.each([
    'withTimeout',
    'timeLimit',
    'runWithDeadline',
    'abortable',
    'race',
    'Promise.race',
    'raceTimer',
    'promiseRace'
])('%s gives up waiting', name => {
    expect(name).toMatch(TIME_LIMIT);
});

it.each(['trace', 'fnUntraced', 'withTrace', 'closeGracefully', 'embrace', 'raceway', 'time'])('%s waits', name => {
    expect(name).not.toMatch(TIME_LIMIT);
});
