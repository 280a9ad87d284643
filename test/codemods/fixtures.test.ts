import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PipelineResult } from '../../codemods/pipeline.js';
import { migrateTogether, readFixtures, siteRows } from './fixtures.js';

// `UPDATE_FIXTURES=1 npx vitest run test/codemods/fixtures.test.ts` writes what the migration does now; read the diff.
const update = process.env['UPDATE_FIXTURES'] === '1';
const fixtures = readFixtures();

describe('fixtures', () => {
    let once: PipelineResult;
    let twice: PipelineResult;
    let carriageReturns: PipelineResult;
    const textOf = (result: PipelineResult, path: string, before: string): string => result.texts.get(path) ?? before;

    beforeAll(() => {
        once = migrateTogether(new Map(fixtures.map(({ path, input }) => [path, input])));
        const after = new Map(fixtures.map(({ path, input }) => [path, textOf(once, path, input)]));
        for (const [path, text] of once.texts) after.set(path, text);
        twice = migrateTogether(after);
        carriageReturns = migrateTogether(new Map(fixtures.map(({ path, input }) => [path, crlf(input)])));
        if (!update) return;
        for (const { path, input, outputFile, sitesFile } of fixtures) {
            writeFileSync(outputFile, textOf(once, path, input));
            writeFileSync(sitesFile, siteRows(once, path));
        }
    }, 300_000);

    it.each(fixtures.map(fixture => [fixture.name, fixture] as const))('%s becomes its output', (_, fixture) => {
        const { path, input, output, sites } = fixture;
        expect(textOf(once, path, input)).toBe(update ? textOf(once, path, input) : output);
        expect(siteRows(once, path)).toBe(update ? siteRows(once, path) : sites);
    });

    it('brings no type error of its own', () => {
        expect(once.diagnostics.filter(({ code }) => code === 'type-error')).toEqual([]);
        expect(once.typeErrors.before).toBe(0);
    });

    it('changes nothing in a second run', () => {
        expect([...twice.texts.keys()]).toEqual([]);
        expect(twice.sites.filter(({ status }) => status === 'migrated' || status === 'review')).toEqual([]);
    });

    it('finds the sites that it left again in a second run', () => {
        const left = (result: PipelineResult): string[] =>
            result.sites
                .filter(({ status }) => status === 'manual')
                .map(({ file, api }) => `${file} ${api.replace(/sendRequest$/, 'mcpReq.send')}`);
        expect(left(twice)).toEqual(left(once));
    });

    it('keeps CRLF line breaks', () => {
        for (const { path, input } of fixtures) {
            expect(textOf(carriageReturns, path, crlf(input))).toBe(crlf(textOf(once, path, input)));
        }
    });

    it('writes one runtime module for each package that uses it', () => {
        const modules = [...once.texts.keys()]
            .filter(path => /\/mrtr\.[cm]?[jt]s$/.test(path))
            .map(path => dirname(path));
        const users = [...once.texts].filter(([, text]) => text.includes('./mrtr.')).map(([path]) => dirname(path));
        expect(modules.sort()).toEqual([...new Set(users)].sort());
        expect(modules.length).toBeGreaterThan(10);
    });
});

const crlf = (text: string): string => text.replace(/\n/g, '\r\n');
