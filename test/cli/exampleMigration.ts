import type { Diagnostic, FileChange, Migration, SiteReport, SiteStatus } from '../../codemods/index.js';

interface Parts {
    sites?: SiteReport[];
    changes?: FileChange[];
    diagnostics?: Diagnostic[];
    failures?: Diagnostic[];
}

/** A migration as the codemod returns it: two files, one call of every status, out of order on purpose. */
export function exampleMigration({
    sites = SITES,
    changes = CHANGES,
    diagnostics = [],
    failures = []
}: Parts = {}): Migration {
    const byStatus: Record<SiteStatus, number> = { migrated: 0, review: 0, manual: 0, skipped: 0 };
    for (const site of sites) byStatus[site.status] += 1;
    return {
        report: {
            version: 1,
            files: changes.map(({ path }) => ({ path, changed: true, edits: path === 'package.json' ? 0 : 2 })),
            sites,
            diagnostics,
            summary: { byStatus, byKind: {}, typeErrors: { before: 0, afterSdkUpgrade: 4, after: 4 } }
        },
        changes,
        failures
    };
}

export function exampleSite(site: Partial<SiteReport>): SiteReport {
    return {
        id: 's1',
        file: 'src/server.ts',
        line: 1,
        column: 1,
        endLine: 1,
        kind: 'elicit',
        api: 'server.server.elicitInput',
        status: 'migrated',
        rule: 'elicit',
        reason: '',
        reach: [],
        ...site
    };
}

const SITES = [
    exampleSite({
        file: 'src/server.ts',
        line: 40,
        column: 9,
        status: 'manual',
        reason: 'an effect comes before the ask'
    }),
    exampleSite({
        file: 'src/server.ts',
        line: 7,
        column: 21,
        kind: 'sample',
        status: 'review',
        reason: 'found by name'
    }),
    exampleSite({ file: 'src/server.ts', line: 12, status: 'migrated' }),
    exampleSite({ file: 'lib/roots.ts', line: 100, kind: 'roots', status: 'skipped', reason: 'a client' })
];

const CHANGES: FileChange[] = [
    {
        path: 'src/server.ts',
        absolutePath: '/project/src/server.ts',
        before: 'one\ntwo\nthree\n',
        after: 'one\n2\nthree\n',
        group: 'g1'
    },
    { path: 'mrtr.ts', absolutePath: '/project/mrtr.ts', before: undefined, after: 'new\n', group: 'g1' }
];
