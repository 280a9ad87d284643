import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CheckResult, MigrationReport } from '../../codemods/index.js';
import { runCli, type Ended } from './runCli.js';
import { commitAll, PUSH_SERVER, readText, suiteProject } from '../temporaryProject.js';

describe('a project under git from the first check to the last', () => {
    const folder = suiteProject(PUSH_SERVER);
    const elsewhere = suiteProject({});
    let before: Ended;
    let dryRun: Ended;
    let write: Ended;
    let after: Ended;
    let treeAfter: { 'dry run': string; write: string };

    beforeAll(() => {
        const tree = () =>
            execFileSync('git', ['-C', folder, 'status', '--porcelain', '--untracked-files=all'], { encoding: 'utf8' });
        commitAll(folder);
        before = runCli(['check', '--json', '--cwd', folder], elsewhere);
        dryRun = runCli(['migrate', '--json', folder], folder);
        const afterDryRun = tree();
        write = runCli(['migrate', '--write'], folder);
        treeAfter = { 'dry run': afterDryRun, write: tree() };
        after = runCli(['check', 'src'], folder);
    });

    it('starts with a push call that check finds, by file, line and column', () => {
        expect(before).toMatchObject({ code: 1, stderr: '' });
        expect((JSON.parse(before.stdout) as CheckResult).findings).toEqual([
            expect.objectContaining({ rule: 'elicit-input', file: 'src/server.ts', line: 7, column: 26, endLine: 10 })
        ]);
    });

    it('is not touched by a dry run, whose report has the call', () => {
        expect(dryRun).toMatchObject({ code: 0 });
        expect(treeAfter['dry run']).toBe('');
        const { sites, summary } = JSON.parse(dryRun.stdout) as MigrationReport;
        expect(sites).toMatchObject([{ file: 'src/server.ts', line: 7, column: 26, status: 'migrated' }]);
        expect(summary.typeErrors).toEqual({ before: 0, afterSdkUpgrade: 0, after: 0 });
    });

    it('is rewritten with --write, in a clean git tree', () => {
        expect(write).toMatchObject({ code: 0, stderr: expect.stringContaining('Wrote ') as string });
        expect(treeAfter.write).toContain(' M src/server.ts\n');
        expect(treeAfter.write).toContain('?? src/mrtr.ts\n');
        expect(readText(folder, 'src/server.ts')).toContain("await ctx.need('name', elicit({");
    });

    it('ends with nothing for check to find', () => {
        expect(after).toMatchObject({ code: 0, stdout: '' });
    });
});
