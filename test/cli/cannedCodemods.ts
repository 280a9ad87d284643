import { NoSuchPathError } from '../../codemods/files/discover.js';
import type { Finding, Migration } from '../../codemods/index.js';
import type { Codemod } from '../../cli/session.js';
import { exampleMigration } from './exampleMigration.js';

const empty: Codemod = {
    migrate: () => exampleMigration({ sites: [], changes: [] }),
    check: () => ({ findings: [], failures: [], fixes: [], diagnostics: [] }),
    commit: changes => ({ written: changes.map(change => change.path), refused: [] })
};

const finding: Finding = {
    rule: 'elicit-input',
    messageId: 'call',
    file: 'src/a.ts',
    line: 3,
    column: 5,
    endLine: 3,
    endColumn: 40,
    level: 'error',
    message: 'elicitInput is gone',
    related: [],
    fingerprint: 'f1'
};

function failing(error: () => Error): Codemod {
    const fail = (): never => {
        throw error();
    };
    return { migrate: fail, check: fail, commit: fail };
}

const pending = (): Migration => exampleMigration();

/** Outcomes of the codemod by name: the ordinary ones without their cost, and those that only come on bad days. */
export const cannedCodemods = {
    'nothing to do': empty,
    'changes pending': { ...empty, migrate: pending },
    'changes pending, and commit fails': {
        ...empty,
        migrate: pending,
        commit: () => {
            throw new Error('commit was called');
        }
    },
    'write refused': {
        ...empty,
        migrate: pending,
        commit: changes => ({
            written: changes.slice(1).map(change => change.path),
            refused: changes.slice(0, 1).map(change => ({ path: change.path, reason: 'is read-only' }))
        })
    },
    'one finding of every level': {
        ...empty,
        check: () => ({
            findings: (['note', 'error', 'warning'] as const).map(level => ({ ...finding, level })),
            failures: [],
            fixes: [],
            diagnostics: []
        })
    },
    'a finding and an unreadable file': {
        ...empty,
        check: () => ({
            findings: [finding],
            failures: [{ level: 'error', code: 'unreadable', file: 'src/b.ts', message: 'permission denied' }],
            fixes: [],
            diagnostics: []
        })
    },
    'a path that went away': failing(() => new NoSuchPathError('src', 'no such file or folder')),
    'a bug': failing(() => new TypeError("Cannot read properties of undefined (reading 'symbol')"))
} satisfies Record<string, Codemod>;
