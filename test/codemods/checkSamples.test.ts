import { describe, expect, it } from 'vitest';
import { checkFiles } from '../../codemods/checkFiles.js';
import type { Finding } from '../../codemods/index.js';
import { lintRules } from '../../codemods/rules/lintRules.js';
import { SAMPLE_PRELUDE, SAMPLE_RUNTIME } from '../../codemods/rules/samples.js';
import { temporaryProject } from '../temporaryProject.js';

/** Every sample is a file of one project, because the types of the SDK take longer to read than all samples. */
function checkAllSamples(): Map<string, Finding[]> {
    const root = temporaryProject({ 'package.json': '{ "name": "samples", "type": "module" }' });
    const files = new Map([[`${root}/mrtr.ts`, SAMPLE_RUNTIME]]);
    for (const { id, incorrect, correct } of lintRules) {
        for (const [index, code] of incorrect.entries())
            files.set(`${root}/${id}.bad${index}.ts`, SAMPLE_PRELUDE + code);
        for (const [index, code] of correct.entries())
            files.set(`${root}/${id}.good${index}.ts`, SAMPLE_PRELUDE + code);
    }
    const { findings } = checkFiles({ root, files });
    const byFile = new Map([...files.keys()].map(path => [path.slice(root.length + 1), [] as Finding[]]));
    for (const finding of findings) byFile.get(finding.file)?.push(finding);
    return byFile;
}

describe('the samples of each rule', () => {
    let byFile: Map<string, Finding[]> | undefined;
    const found = (file: string): string[] => {
        byFile ??= checkAllSamples();
        return (byFile.get(file) ?? []).filter(({ suppressed }) => suppressed === undefined).map(({ rule }) => rule);
    };

    for (const { id, incorrect, correct } of lintRules) {
        it.each(incorrect.map((_, index) => index))(
            `of ${id} that are incorrect are reported (%i)`,
            index => {
                expect(found(`${id}.bad${index}.ts`)).toContain(id);
            },
            120_000
        );

        it.each(correct.map((_, index) => index))(
            `of ${id} that are correct are not (%i)`,
            index => {
                expect(found(`${id}.good${index}.ts`)).not.toContain(id);
            },
            120_000
        );
    }
});

describe('the meta of a rule', () => {
    it('is unique, and named as its folder', () => {
        expect(new Set(lintRules.map(({ id }) => id)).size).toBe(lintRules.length);
    });
});
