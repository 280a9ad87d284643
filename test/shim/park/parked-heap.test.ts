import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compileShim } from '../compiled.js';
import type { ParkedHeap } from './parked-heap.js';

const run = promisify(execFile);

let folder: string;
beforeAll(() => {
    folder = compileShim();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('2,000 parked calls on a server with twenty tools', () => {
    it('hold no server of the SDK, and little of their own', async () => {
        const script = join(folder, 'test/shim/park/parked-heap.js');
        const { stdout } = await run(process.execPath, ['--expose-gc', script, '2000'], { cwd: process.cwd() });
        const heap = JSON.parse(stdout) as ParkedHeap;
        expect(heap.text).toBe('got yes');
        // The last one may still be on the stack of something.
        expect(heap.servers - heap.collected).toBeLessThanOrEqual(5);
        expect(heap.bytesPerFrame).toBeLessThan(8 * 1024);
    });
});

it('a parked call does not keep its process alive', async () => {
    const script = join(folder, 'test/shim/park/parked-exit.js');
    const began = performance.now();
    const { stdout } = await run(process.execPath, [script]);
    expect(stdout).toBe('input_required');
    // Its round has ten minutes.
    expect(performance.now() - began).toBeLessThan(30_000);
});
