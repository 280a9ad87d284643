// The one command of CI and developers: lint, format check, type check, build, packaging, tests.
// The last line is "N passed, N failed", counted from vitest's own report. Arguments go to vitest.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Side by side, since each takes one core and CI has two; within a row, a step needs what the one before it made. */
const ROWS = [
    ['lint', 'format:check'],
    ['typecheck', 'build', 'packaging']
];
const passed = await Promise.all(ROWS.map(runRow));
if (passed.includes(false)) end(0, 1);

const folder = mkdtempSync(join(tmpdir(), 'mcp-mrtr-test-'));
const reportFile = join(folder, 'report.json');
const { status } = spawnSync(
    process.execPath,
    [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${reportFile}`,
        ...process.argv.slice(2)
    ],
    { cwd: root, stdio: 'inherit' }
);
const report = readReport();
rmSync(folder, { recursive: true, force: true });
if (!report) end(0, 1);
for (const name of skippedTests(report)) console.error(`skipped: ${name}`);
// A suite that fails to load has no failed test of its own; it must not count as zero. Neither must an empty run.
const failed = status === 0 && report.numPassedTests > 0 ? report.numFailedTests : Math.max(report.numFailedTests, 1);
end(report.numPassedTests, failed);

async function runRow(steps) {
    for (const step of steps) {
        const child = spawn('npm', ['run', '--silent', step], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
        const output = [];
        for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => output.push(chunk));
        const [status] = await once(child, 'close');
        process.stderr.write(Buffer.concat(output));
        console.error(status === 0 ? `ok ${step}` : `npm run ${step} failed`);
        if (status !== 0) return false;
    }
    return true;
}

function readReport() {
    try {
        return JSON.parse(readFileSync(reportFile, 'utf8'));
    } catch (error) {
        console.error(`vitest left no report: ${error.message}`);
        return undefined;
    }
}

function skippedTests({ testResults }) {
    return testResults
        .flatMap(file => file.assertionResults)
        .filter(({ status }) => status !== 'passed' && status !== 'failed')
        .map(({ fullName }) => fullName);
}

function end(passed, failed) {
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed === 0 ? 0 : 1);
}
