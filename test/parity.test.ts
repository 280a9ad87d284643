import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SiteReport } from '../codemods/index.js';
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

/** Playing a case costs some ten seconds of one core, and the second era is the smaller difference. */
const bothEras = process.env['PARITY'] === 'all';

describe.skipIf(!kit)(`recorded servers after the migration${kitNote}`, () => {
    describe('play as they were recorded to a 2026-07-28 client', () => {
        played('migrated');
    });

    const note = bothEras ? '' : ' [SKIPPED without PARITY=all]';
    describe.skipIf(!bothEras)(`play as they were recorded to a 2025-era client${note}`, () => {
        played('migrated-legacy');
    });
});

function played(mode: 'migrated' | 'migrated-legacy'): void {
    let outcomes: Outcome[] = [];

    // The first run installs the kit.
    beforeAll(() => {
        outcomes = play(mode);
    }, 20 * MINUTE);

    const failures = () => outcomes.filter(outcome => outcome.status !== 'pass');
    const describeAll = (some: Outcome[]) => some.map(outcome => `${outcome.case}: ${outcome.detail}`);

    it(`in ${PASSING_CASES} cases at least`, () => {
        expect(outcomes.length - failures().length, describeAll(failures()).join('\n')).toBeGreaterThanOrEqual(
            PASSING_CASES
        );
    });

    it('or the report says that a call was left for a person', () => {
        const wrong = failures().filter(({ sites }) => !sites?.some(site => site.status === 'manual'));
        expect(describeAll(wrong)).toEqual([]);
    });
}

function play(mode: string): Outcome[] {
    if (!kit) return [];
    const cases = ['--all', '--cases', kit.cases, '--mode', mode, '--timeout', '90'];
    const ended = spawnSync(kit.parity, [...cases, '--bin', builtCli(), '--json'], {
        cwd: repoRoot,
        encoding: 'utf8',
        maxBuffer: 256 * 1024 * 1024
    });
    if (ended.stdout === '') throw new Error(`the harness did not run: ${ended.stderr}`);
    return (JSON.parse(ended.stdout) as { outcomes: Outcome[] }).outcomes;
}
