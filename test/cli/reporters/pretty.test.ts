import { describe, expect, it } from 'vitest';
import { palette } from '../../../cli/palette.js';
import { pretty as migration } from '../../../cli/reporters/migration/pretty.js';
import { exampleMigration } from '../exampleMigration.js';

const plain = palette(false);

describe('the pretty report of a migration', () => {
    it('shows files, counts, every call that wants a look, and what the migration adds to the type errors', () => {
        const outcome = exampleMigration({
            diagnostics: [
                { level: 'warning', code: 'zod-raised', message: 'zod is raised to ^4.2.0', file: 'package.json' },
                { level: 'info', code: 'sdk-upgrade', message: 'SDK v1 becomes v2' }
            ]
        });
        expect(migration(outcome, plain)).toBe(`Files
  new      mrtr.ts
  changed  src/server.ts  2 edits

Push calls
  4 calls: 1 migrated, 1 review, 1 manual, 1 skipped
  lib/roots.ts:100:1  roots   skipped  a client
  src/server.ts:7:21  sample  review   found by name
  src/server.ts:40:9  elicit  manual   an effect comes before the ask

Diagnostics
  info     (project)     sdk-upgrade  SDK v1 becomes v2
  warning  package.json  zod-raised   zod is raised to ^4.2.0

Type errors
  0 before, 4 after the SDK upgrade alone, 4 after: none added by the migration
`);
    });

    it('says how many type errors are ours', () => {
        const outcome = exampleMigration();
        outcome.report.summary.typeErrors = { before: 0, afterSdkUpgrade: 4, after: 6 };
        expect(migration(outcome, plain)).toContain('2 added by the migration');
    });

    it('is empty when there is nothing to show', () => {
        const outcome = exampleMigration({ sites: [], changes: [] });
        delete outcome.report.summary.typeErrors;
        expect(migration(outcome, plain)).toBe('');
    });

    it('keeps its columns under colour', () => {
        const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
        const outcome = exampleMigration();
        expect(migration(outcome, palette(true)).replaceAll(escapes, '')).toBe(migration(outcome, plain));
    });
});
