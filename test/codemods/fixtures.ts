import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { runPipeline } from '../../codemods/pipeline.js';
import type { PipelineResult } from '../../codemods/pipeline.js';

const FOLDER = resolve(import.meta.dirname, '../../fixtures');

/** One case: a server as somebody wrote it, and as the migration leaves it. */
export interface Fixture {
    /** `elicit-input/tool-callback`. */
    name: string;
    /** Where the case stands for the pipeline; each case is a package of its own. */
    path: string;
    input: string;
    /** The file that holds the expected text, and the text. */
    outputFile: string;
    output: string | undefined;
    /** The file that holds the expected rows of the report. */
    sitesFile: string;
    sites: string | undefined;
}

/** Every folder `fixtures/<rule>/<case>` with an `input.*`. */
export function readFixtures(): Fixture[] {
    return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
        .filter(file => /^[^/]+\/[^/]+\/input\.[cm]?[jt]s$/.test(file))
        .sort()
        .map(file => {
            const folder = join(FOLDER, dirname(file));
            const extension = file.slice(file.indexOf('input.') + 'input'.length);
            const outputFile = join(folder, `output${extension}`);
            const sitesFile = join(folder, 'sites.txt');
            return {
                name: dirname(file),
                path: join(folder, `server${extension}`),
                input: readFileSync(join(FOLDER, file), 'utf8'),
                outputFile,
                output: readIfThere(outputFile),
                sitesFile,
                sites: readIfThere(sitesFile)
            };
        });
}

const readIfThere = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/** Runs the migration over many one-file packages at once, because most of its time goes into reading the libraries. */
export function migrateTogether(files: ReadonlyMap<string, string>): PipelineResult {
    return runPipeline({ root: FOLDER, files, packageOf: dirname, readFile: () => undefined });
}

/** Rows of the report for one case, in words that a person can review. */
export function siteRows(result: PipelineResult, path: string): string {
    const file = relative(FOLDER, path).replace(/\\/g, '/');
    const rows = result.sites
        .filter(site => site.file === file)
        .map(({ line, column, kind, status, key, reach, reason }) =>
            [
                `${line}:${column}`,
                kind,
                status,
                key ?? '-',
                reach.map(({ handler }) => handler).join(' + ') || '-',
                reason
            ]
                .join('  ')
                .trim()
        );
    return rows
        .map(row => `${row}\n`)
        .join('')
        .replaceAll(dirname(file) + '/', '');
    // Ids count through all cases.
}
