import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SiteReport } from '../codemods/report.js';
import { kit, kitNote } from './kit.js';
import { builtCli, repoRoot } from './repo.js';

/** What the harness says of one case in one mode. */
interface Outcome {
    case: string;
    mode: string;
    status: 'pass' | 'fail' | 'error';
    detail: string;
    sites?: SiteReport[];
}

const MINUTE = 60_000;
const PASSING_CASES = 7;

describe.skipIf(!kit)(`recorded servers after the migration${kitNote}`, () => {
    let outcomes: Outcome[] = [];

    // Each case is migrated, started and played by a real client of either era. The first run installs the kit.
    beforeAll(() => {
        if (!kit) return;
        const ended = spawnSync(
            kit.parity,
            [
                '--all',
                '--json',
                '--timeout',
                '90',
                '--mode',
                'migrated,migrated-legacy',
                '--cases',
                kit.cases,
                '--bin',
                builtCli()
            ],
            { cwd: repoRoot, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 }
        );
        if (ended.stdout === '') throw new Error(`the harness did not run: ${ended.stderr}`);
        outcomes = (JSON.parse(ended.stdout) as { outcomes: Outcome[] }).outcomes;
    }, 8 * MINUTE);

    it(`play as they were recorded on both eras, ${PASSING_CASES} cases at least`, () => {
        const failing = new Set(failures().map(outcome => outcome.case));
        const passing = new Set(outcomes.map(outcome => outcome.case).filter(name => !failing.has(name)));
        expect([...passing].length, describeFailures()).toBeGreaterThanOrEqual(PASSING_CASES);
    });

    it('differ only where the report says that a call was left for a person', () => {
        const wrong = failures().filter(({ sites }) => !sites?.some(site => site.status === 'manual'));
        expect(wrong.map(outcome => `${outcome.case} ${outcome.mode}: ${outcome.detail}`)).toEqual([]);
    });

    const failures = () => outcomes.filter(outcome => outcome.status !== 'pass');
    const describeFailures = () =>
        failures()
            .map(outcome => `${outcome.case} ${outcome.mode}: ${outcome.detail}`)
            .join('\n');
});
