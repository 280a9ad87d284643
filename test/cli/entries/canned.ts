// The real command line over outcomes that a real codemod gives only on bad days: a bug, a file that cannot be written.
import { NoSuchPathError } from '../../../codemods/files/discover.js';
import type { Migration } from '../../../codemods/index.js';
import { main } from '../../../cli/main.js';
import type { Codemod } from '../../../cli/session.js';
import { exampleMigration } from '../exampleMigration.js';

const nothing: Migration = exampleMigration({ sites: [], changes: [] });

const outcomes: Record<string, Codemod> = {
    bug: {
        migrate: () => {
            throw new TypeError("Cannot read properties of undefined (reading 'symbol')");
        },
        check: () => {
            throw new TypeError("Cannot read properties of undefined (reading 'symbol')");
        },
        commit: () => ({ written: [], refused: [] })
    },
    'path-gone': {
        migrate: () => {
            throw new NoSuchPathError('src', 'no such file or folder');
        },
        check: () => {
            throw new NoSuchPathError('src', 'no such file or folder');
        },
        commit: () => ({ written: [], refused: [] })
    },
    'refused-write': {
        migrate: () => exampleMigration(),
        check: () => ({ findings: [], failures: [] }),
        commit: changes => ({
            written: changes.slice(1).map(change => change.path),
            refused: changes.slice(0, 1).map(change => ({ path: change.path, reason: 'the file is read-only' }))
        })
    },
    'write-in-dry-run': {
        migrate: () => exampleMigration(),
        check: () => ({ findings: [], failures: [] }),
        commit: () => {
            throw new Error('commit was called');
        }
    },
    'unreadable-file': {
        migrate: () => nothing,
        check: () => ({
            findings: [
                {
                    rule: 'elicit-input',
                    messageId: 'push',
                    file: 'src/a.ts',
                    line: 3,
                    column: 5,
                    endLine: 3,
                    level: 'error',
                    message: 'elicitInput is gone'
                }
            ],
            failures: [{ level: 'error', code: 'unreadable', file: 'src/b.ts', message: 'permission denied' }]
        }),
        commit: () => ({ written: [], refused: [] })
    }
};

process.exitCode = await main(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    loadCodemod: () => {
        const outcome = outcomes[process.env['CANNED'] ?? ''];
        if (!outcome) throw new Error(`no canned outcome ${process.env['CANNED'] ?? ''}`);
        return Promise.resolve(outcome);
    }
});
