// npm run conformance: the official suite for revision 2026-07-28 against a server that is written with the runtime.
// Exit code 0 only if every required scenario is ok. Needs nothing but the loopback, and leaves nothing behind.
//
// An argument names another server: a TypeScript file that prints its URL as its first line on stdout.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from './conformance/server.mjs';
import { readChecks, requiredScenarios, runSuite, suiteOf } from './conformance/suite.mjs';
import { judge, reportLines } from './conformance/verdict.mjs';

const REVISION = '2026-07-28';

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const [entry = join(repository, 'fixtures/conformance/main.ts')] = process.argv.slice(2);

const { signal, abort } = interruption();
const folder = mkdtempSync(join(tmpdir(), 'mcp-mrtr-conformance-'));
try {
    process.exitCode = (await isConformant()) ? 0 : 1;
} catch (error) {
    console.error(error);
    process.exitCode = 1;
} finally {
    abort();
    rmSync(folder, { recursive: true, force: true });
}

async function isConformant() {
    const suite = suiteOf(repository);
    const required = requiredScenarios(suite, REVISION);
    const server = await startServer(resolve(entry), { cwd: repository, signal });
    console.log(`${server.url} (process ${server.pid})\n`);
    const run = await runSuite(suite, { url: server.url, revision: REVISION, folder, signal }).finally(server.stop);

    const verdict = judge(required, readChecks(folder));
    for (const line of reportLines(verdict)) console.log(line);
    if (verdict.ok === required.length && verdict.failed === 0 && run.code === 0) return true;
    console.error(`\nThe suite ended with exit code ${run.code}. The last that it said:`);
    console.error(run.output.trimEnd().split('\n').slice(-20).join('\n'));
    return false;
}

/** A signal that ends the children when this process is interrupted. */
function interruption() {
    const controller = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => controller.abort());
    return { signal: controller.signal, abort: () => controller.abort() };
}
