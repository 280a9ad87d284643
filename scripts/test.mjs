// The one command of CI and developers: lint, format check, type check, build, packaging, tests.
// The last line is "N passed, N failed", counted from vitest's own report. Arguments go to vitest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const STEPS = ['lint', 'format:check', 'typecheck', 'build', 'packaging'];

for (const step of STEPS) {
    const { status } = spawnSync('npm', ['run', '--silent', step], { cwd: root, stdio: 'inherit' });
    if (status !== 0) {
        console.error(`npm run ${step} failed`);
        end(0, 1);
    }
    console.error(`ok ${step}`);
}

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
