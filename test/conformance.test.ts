import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { repoRoot } from './repo.js';
import { suiteProject } from './temporaryProject.js';

/** `npm run conformance`: the official suite over HTTP, against a real process. Some seconds; loopback only. */
function conformance(temporary: string, ...args: string[]) {
    const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(repoRoot, 'scripts/conformance.mjs'), ...args],
        { encoding: 'utf8', env: { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary } }
    );
    return { status, stdout, stderr, lines: stdout.split('\n') };
}

describe('the official conformance suite for 2026-07-28', () => {
    const temporary = suiteProject({});
    let run: ReturnType<typeof conformance>;

    beforeAll(() => {
        run = conformance(temporary);
    }, 120_000);

    it('is passed by a server that is written with the runtime', () => {
        expect(run.status, run.stdout + run.stderr).toBe(0);
        expect(run.lines.filter(line => line.startsWith('✓ '))).toHaveLength(37);
        expect(run.lines).toContain(
            '37 of 37 required scenarios ok; scored checks: 119 passed, 0 failed, 1 with a warning'
        );
    });

    it('warns of answers to questions that nobody asked, and of nothing else', () => {
        const warnings = run.lines.filter(line => /^ +warning /.test(line));
        expect(warnings).toEqual([expect.stringContaining('sep-2322-ignore-unexpected-params')]);
    });

    it('leaves neither a file nor the server behind', () => {
        expect(readdirSync(temporary)).toEqual([]);
        const pid = Number(/\(process (\d+)\)/.exec(run.stdout)?.[1]);
        expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });

    it('fails a server that does not pass, and says where', () => {
        const { status, lines } = conformance(temporary, join(repoRoot, 'fixtures/conformance/unguarded.ts'));
        expect(status).toBe(1);
        expect(lines.filter(line => line.startsWith('✗ '))).toEqual([
            expect.stringMatching(/^✗ dns-rebinding-protection +1 passed, 1 failed$/)
        ]);
        expect(lines).toContainEqual(expect.stringMatching(/^36 of 37 .* 1 failed/));
    }, 120_000);
});
