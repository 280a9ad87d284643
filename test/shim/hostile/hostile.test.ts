import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compileShim } from '../compiled.js';
import type { Attack } from './attack.js';

const run = promisify(execFile);

const SENT = 10_000;

let folder: string;
let attack: Attack;
beforeAll(async () => {
    folder = compileShim();
    const script = join(folder, 'test/shim/hostile/attack.js');
    const { stdout } = await run(process.execPath, ['--expose-gc', script, String(SENT)], { maxBuffer: 1 << 20 });
    attack = JSON.parse(stdout) as Attack;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('10,000 forged retries', () => {
    it('are all refused, and run no handler', () => {
        expect(attack).toMatchObject({ sent: SENT, accepted: {}, attempts: 1, codes: [-32602] });
    });

    it('leave nothing in memory', () => {
        // Less than 32 bytes each: nothing is kept of any of them.
        expect(attack.heapAfter - attack.heapBefore).toBeLessThan(SENT * 32);
    });
});
