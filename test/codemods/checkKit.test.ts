import { chmodSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check, commit, migrate } from '../../codemods/index.js';
import type { Finding } from '../../codemods/index.js';
import { lintRule } from '../../codemods/rules/lintRules.js';
import { kit, kitNote } from '../kit.js';
import { temporaryProject } from '../temporaryProject.js';

/** What is left to know after the migration, and why it is right: each is a note. */
const LEFT = [
    // A question for each photo, and a model that decides itself how often it is asked.
    'album-cleanup/src/server.ts ask-in-loop',
    'triage-agent/src/server.ts ask-in-loop',
    // The case goes on with what it has where the client cannot be asked, as it always did.
    'project-roots/src/server.ts swallowed-ask',
    'recipe-scale/src/index.js swallowed-ask'
];

const isDeprecated = ({ rule }: Finding): boolean => lintRule(rule)?.category === 'deprecated';

/** A copy of all cases, in which everything may be written. */
function copyOf(cases: string): string {
    const folder = temporaryProject({});
    cpSync(cases, folder, { recursive: true });
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
    }
    return folder;
}

describe.skipIf(kit === undefined)(`check of the parity kit${kitNote}`, { timeout: 300_000 }, () => {
    it('reports every call before the migration, and none after it, when it says only what is justified', () => {
        const cwd = copyOf(kit!.cases);
        const findings = (): Finding[] => check({ cwd, paths: [] }).findings;
        const before = findings().filter(isDeprecated);
        const { report, changes } = migrate({ cwd, paths: [] });
        const calls = report.sites.filter(({ status }) => status !== 'skipped');
        const missed = calls.filter(
            site => !before.some(({ file, line }) => file === site.file && line >= site.line && line <= site.endLine)
        );
        expect(missed).toEqual([]);
        expect(new Set(before.map(({ file }) => file.split('/')[0]))).toEqual(new Set(readdirSync(kit!.cases)));
        commit(changes);
        const after = findings();
        expect(after.filter(isDeprecated)).toEqual([]);
        expect(after.map(({ file, rule }) => `${file} ${rule}`).sort()).toEqual([...LEFT].sort());
        expect(new Set(after.map(({ level }) => level))).toEqual(new Set(['note']));
    });
});
