// The one command of CI and developers: lint, format check, type check, build, packaging, tests.
// The last line is "N passed, N failed", counted from vitest's own report.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const steps = ['lint', 'format:check', 'typecheck', 'build', 'packaging'];
for (const step of steps) {
    const { status } = spawnSync('npm', ['run', '--silent', step], { stdio: 'inherit' });
    if (status !== 0) {
        console.error(`npm run ${step} failed`);
        console.log('0 passed, 1 failed');
        process.exit(1);
    }
    console.error(`ok ${step}`);
}

const folder = mkdtempSync(join(tmpdir(), 'mcp-mrtr-test-'));
const report = join(folder, 'report.json');
const args = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile=${report}`, ...process.argv.slice(2)];
const { status } = spawnSync('npx', args, { stdio: 'inherit' });
let counts = { numPassedTests: 0, numFailedTests: 1 };
try {
    counts = JSON.parse(readFileSync(report, 'utf8'));
} catch (error) {
    console.error(`vitest left no report: ${error.message}`);
}
rmSync(folder, { recursive: true, force: true });
// A suite that fails to load has no failed test of its own; it must not count as zero.
const failed = status === 0 ? counts.numFailedTests : Math.max(counts.numFailedTests, 1);
console.log(`${counts.numPassedTests} passed, ${failed} failed`);
process.exit(status === 0 && counts.numPassedTests > 0 ? 0 : 1);
