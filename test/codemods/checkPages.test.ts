import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulePage, rulesPage } from '../../codemods/check/rulePage.js';
import { lintRules } from '../../codemods/rules/lintRules.js';
import { repoRoot } from '../repo.js';

const folder = join(repoRoot, 'docs/rules');

/** File → text of every generated page. */
const pages = new Map([
    ['README.md', `${rulesPage(lintRules, id => `[${id}](${id}.md)`)}\n`],
    ...lintRules.map(rule => [`${rule.id}.md`, `${rulePage(rule)}\n`] as const)
]);

describe('docs/rules', () => {
    if (process.env['UPDATE_DOCS'] === '1') {
        mkdirSync(folder, { recursive: true });
        for (const [name, text] of pages) writeFileSync(join(folder, name), text);
    }

    it('has a page for every rule and no other', () => {
        expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
    });

    it.each([...pages.keys()])('%s is what the rule says of itself (UPDATE_DOCS=1 writes it)', name => {
        expect(readFileSync(join(folder, name), 'utf8')).toBe(pages.get(name));
    });
});
