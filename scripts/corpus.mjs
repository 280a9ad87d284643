// npm run corpus -- <folder of clones>: migrates public servers at known commits, and compares what the report says with
// the push calls that were found in them by hand. A dry run on copies: the clones are only read.
//
//   --check           check them instead: which of the calls are reported, and what else is
//   --corpus <file>   the calls found by hand (default: ../shared/corpus/corpus.json)
//   --only <text>     entries whose name contains the text
//   --sites <status>  also list the sites that ended so: missed, manual, review, skipped
//   --keep <folder>   write the migrations there and keep them, each a work tree whose `git diff` is the migration; with
//                     --check they are kept as they are
//   --json <file>     everything measured
//
// It measures and judges nothing: a clone that is missing is said and left out, and the exit code is 0.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkOut } from './corpus/checkOut.mjs';
import { checkAims, checkTable, joinFindings, missedLines } from './corpus/checkResults.mjs';
import { joinSites } from './corpus/joinSites.mjs';
import { measure } from './corpus/measure.mjs';
import { aims, siteLines, table } from './corpus/results.mjs';
import { isBuilt } from './isBuilt.mjs';

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        check: { type: 'boolean', default: false },
        corpus: { type: 'string', default: join(repository, '../shared/corpus/corpus.json') },
        only: { type: 'string', default: '' },
        sites: { type: 'string', multiple: true, default: ['missed'] },
        keep: { type: 'string' },
        json: { type: 'string' }
    }
});
const [clones] = positionals;
if (clones === undefined) {
    console.error('npm run corpus -- <folder of clones>: name the folder in which the clones are.');
    process.exit(3);
}
if (!isBuilt(repository)) {
    const { status } = spawnSync(process.execPath, [join(repository, 'scripts/build.mjs')], { stdio: 'inherit' });
    if (status !== 0) process.exit(1);
}

const work = values.keep === undefined ? mkdtempSync(join(tmpdir(), 'mcp-mrtr-corpus-')) : resolve(values.keep);
mkdirSync(work, { recursive: true });
const entries = JSON.parse(readFileSync(values.corpus, 'utf8')).filter(({ repo }) => repo.includes(values.only));
const measured = [];
for (const entry of entries) {
    const copy = join(work, entry.dir.replaceAll('/', '__'));
    const missing = checkOut(entry, resolve(clones), copy);
    if (missing !== undefined) {
        console.error(`${entry.repo}: ${missing}`);
        continue;
    }
    const run = await (values.check
        ? measure('check', copy, { paths: pathsOf(entry) })
        : measure('migrate', copy, { write: values.keep !== undefined, paths: pathsOf(entry) }));
    if (values.keep === undefined) rmSync(copy, { recursive: true, force: true });
    if (run.error === undefined) measured.push({ entry, run, sites: sitesOf(entry, run.report) });
    console.error(`${entry.repo}: ${run.error ?? `${run.seconds.toFixed(1)} s`}`);
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measured, null, 1)}\n`);
}
if (values.keep === undefined) rmSync(work, { recursive: true, force: true });

const printed = values.check
    ? [checkTable(measured), checkAims(measured), missedLines(measured)]
    : [table(measured), aims(measured), siteLines(measured, values.sites)];
console.log(printed.join('\n'));

function sitesOf(entry, report) {
    return values.check ? joinFindings(entry, report) : joinSites(entry, report.sites);
}

/** What is published stands in dist/, where the codemod looks only when told. */
function pathsOf({ repo }) {
    return repo.startsWith('npm:') ? ['dist'] : [];
}
