import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { structuredPatch } from 'diff';
import { beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../codemods/index.js';
import { repoRoot } from './repo.js';
import { suiteProject } from './temporaryProject.js';

const readme = readFileSync(join(repoRoot, 'README.md'), 'utf8');
const before = readFixture('before');
const after = readFixture('after');

describe('the example of the README', () => {
    const folder = suiteProject(before);
    let produced: Record<string, string>;

    beforeAll(() => {
        const { changes } = migrate({ cwd: folder, paths: ['.'] });
        const sources = changes.filter(({ path }) => path.endsWith('.ts'));
        produced = { ...before, ...Object.fromEntries(sources.map(change => [change.path, change.after])) };
        delete produced['package.json'];
    });

    it('is what migrate produces', () => {
        expect(produced).toEqual(after);
    });

    it('is shown as it is, from the server to the end', () => {
        const diff = fullDiff(before['server.ts']!, after['server.ts']!);
        expect(blocks('diff')).toEqual([diff.slice(diff.indexOf('-const server'))]);
    });

    it('has the module that is written once', () => {
        expect(blocks('ts')).toContain(after['mrtr.ts']);
    });
});

function readFixture(name: string): Record<string, string> {
    const folder = join(repoRoot, 'fixtures/readme', name);
    return Object.fromEntries(readdirSync(folder).map(file => [file, readFileSync(join(folder, file), 'utf8')]));
}

function blocks(language: string): string[] {
    return [...readme.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
        .filter(match => match[1] === language)
        .map(match => match[2]!);
}

/** With every line that stays; an empty one without the space in front, which Prettier takes out of Markdown. */
function fullDiff(old: string, text: string): string {
    const { hunks } = structuredPatch('', '', old, text, undefined, undefined, { context: Infinity });
    return hunks.flatMap(({ lines }) => lines.map(line => `${line.trimEnd()}\n`)).join('');
}
