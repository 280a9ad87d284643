import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check } from '../../codemods/index.js';
import type { Finding } from '../../codemods/index.js';
import { lintRule } from '../../codemods/rules/lintRules.js';
import { repoRoot } from '../repo.js';

/** What is known: per case and file, the rules with how often they are broken. No lines, which move with every edit. */
const knownFile = join(import.meta.dirname, 'checkSelf.findings.json');

type Known = Record<string, Record<string, number>>;

describe('the fixtures of the migration', { timeout: 180_000 }, () => {
    let findings: Finding[] | undefined;
    const found = (): Finding[] => (findings ??= check({ cwd: join(repoRoot, 'fixtures'), paths: [] }).findings);

    it('have exactly the known findings (UPDATE_FIXTURES=1 writes them)', () => {
        if (process.env['UPDATE_FIXTURES'] === '1' || !existsSync(knownFile)) {
            writeFileSync(knownFile, `${JSON.stringify(byCase(found()), null, 4)}\n`);
        }
        const known = JSON.parse(readFileSync(knownFile, 'utf8')) as Known;
        const now = byCase(found());
        // A case that is not in the list yet is known with the next update; the rule below holds for it already.
        expect(Object.fromEntries(Object.keys(known).map(name => [name, now[name] ?? {}]))).toEqual(known);
    });

    it('have no call of the 2025 era after the migration, but where it left a comment', () => {
        const left = found().filter(
            ({ file, rule, level, suppressed }) =>
                /\/output\.[cm]?[jt]s$/.test(file) &&
                lintRule(rule)?.category === 'deprecated' &&
                level === 'error' &&
                !suppressed
        );
        const marked = new Set(found().flatMap(({ file, rule }) => (rule === 'migration-marker' ? [file] : [])));
        expect(left.filter(({ file }) => !marked.has(file))).toEqual([]);
    });
});

function byCase(findings: readonly Finding[]): Known {
    const known: Known = {};
    for (const { file, rule, suppressed } of findings) {
        const [group = '', name = '', ...rest] = file.split('/');
        const counts = (known[`${group}/${name}`] ??= {});
        const row = `${rest.join('/')} ${rule}${suppressed === undefined ? '' : ' (suppressed)'}`;
        counts[row] = (counts[row] ?? 0) + 1;
    }
    return known;
}
