import { rmSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { compileShim } from '../compiled.js';
import { startFleet } from './fleet.js';
import type { Fleet } from './fleet.js';

const SIDE_BY_SIDE = 16;

let compiled: string;
let fleet: Fleet | undefined;
beforeAll(() => {
    compiled = compileShim();
});
afterEach(() => fleet?.close());
afterAll(() => rmSync(compiled, { recursive: true, force: true }));

const roundsOf = (flow: number): number => 1 + (flow % 6);

/** What a call says when each of its questions got its own answer. */
function expected(flow: number): string {
    const answers = Array.from({ length: roundsOf(flow) }, (_, index) => `to Item ${index + 1} of ${flow}?`);
    return [flow * 10, ...answers].join(' ');
}

/** Plays so many calls, a few at a time; kills an instance when a third of them is done. */
async function playAll({ play, kill }: Fleet, flows: number): Promise<(string | Error)[]> {
    const outcomes: (string | Error)[] = [];
    let next = 0;
    let done = 0;
    const worker = async (): Promise<void> => {
        while (next < flows) {
            const flow = next++;
            outcomes[flow] = await play(flow, roundsOf(flow)).catch((error: unknown) => error as Error);
            if (++done === Math.floor(flows / 3)) kill(0);
        }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
    return outcomes;
}

/** How many lines were written before. */
const repeated = (lines: readonly string[]): number => lines.length - new Set(lines).size;

describe('three instances, one of which is killed in the middle', () => {
    it('replay: 1,000 calls end behind a proxy without stickiness, each with its own answers', async () => {
        fleet = await startFleet(compiled, 'replay', n => n % 3);
        const outcomes = await playAll(fleet, 1000);
        expect(outcomes).toEqual(outcomes.map((_, flow) => expected(flow)));
        expect(outcomes).toHaveLength(1000);

        // What the proxy sent again may have run twice, at most once per instance; nothing else has.
        const resent = fleet.proxy.resent();
        const [attempts, onces, effects] = (['attempt', 'once', 'effect'] as const).map(fleet.lines);
        const twice = { resent, attempts: repeated(attempts!), onces: repeated(onces!), effects: repeated(effects!) };
        console.log(`Legs that ran twice: ${JSON.stringify(twice)}`);
        expect(resent).toBeGreaterThan(0);
        expect(twice.attempts).toBeLessThanOrEqual(SIDE_BY_SIDE);
        expect(twice.onces).toBeLessThanOrEqual(twice.attempts);
        expect(twice.effects).toBeLessThanOrEqual(twice.attempts);
        expect(new Set(effects).size).toBe(1000);
    });

    it('park: the calls that waited in it fail as documented, and no effect happens twice', async () => {
        // Sticky by call, as parked handlers need it.
        fleet = await startFleet(compiled, 'park', (_, body) => Number(/"flow":(\d+)/.exec(body)?.[1] ?? 0) % 3);
        const outcomes = await playAll(fleet, 300);
        const failed = outcomes.filter(outcome => outcome instanceof Error);
        for (const [flow, outcome] of outcomes.entries()) {
            if (outcome instanceof Error) expect(outcome).toMatchObject(OTHER_INSTANCE);
            else expect(outcome).toBe(expected(flow));
        }
        console.log(`${failed.length} of 300 parked calls were lost with their instance`);
        expect(failed.length).toBeGreaterThan(0);
        expect(failed.length).toBeLessThanOrEqual(SIDE_BY_SIDE);
        const effects = fleet.lines('effect');
        expect(repeated(effects)).toBe(0);
        expect(effects.length).toBeGreaterThanOrEqual(300 - failed.length);
    });
});

const OTHER_INSTANCE = { code: -32602, data: { reason: 'other_instance' } };
