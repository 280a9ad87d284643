import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The official conformance suite, as it is installed in a repository. */
export function suiteOf(repository) {
    const folder = join(repository, 'node_modules/@modelcontextprotocol/conformance');
    return { main: join(folder, 'dist/index.js'), requirements: join(folder, 'requirements') };
}

/**
 * Runs the suite's required scenarios of a revision against a server; it leaves its results in `folder`.
 *
 * @returns its exit code, and all that it said.
 */
export async function runSuite(suite, { url, revision, folder, signal }) {
    const words = ['server', '--url', url, '--requirements', revision, '-o', folder];
    const child = spawn(
        process.execPath,
        ['--import', new URL('./globSync.mjs', import.meta.url).href, suite.main, ...words],
        { signal, stdio: ['ignore', 'pipe', 'pipe'] }
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
    const [code] = await once(child, 'close');
    return { code, output };
}

/**
 * Names of the server scenarios that a revision requires: the `server:` list of the suite's frozen requirement set.
 *
 * @throws Error if the list is not where it is in 0.2.0-alpha.12.
 */
export function requiredScenarios(suite, revision) {
    const path = join(suite.requirements, `${revision}.yaml`);
    const [, list] = /^server:\n((?: {2}- \S+\n)+)/m.exec(readFileSync(path, 'utf8')) ?? [];
    if (list === undefined) throw new Error(`${path} has no list of server scenarios`);
    return [...list.matchAll(/- (\S+)/g)].map(([, name]) => name);
}

/**
 * The checks that the suite has left in `folder`, by scenario: each has a `status`, an `id` and perhaps an
 * `errorMessage`. A scenario that could not be run has left none.
 */
export function readChecks(folder) {
    const checks = new Map();
    for (const name of readdirSync(folder)) {
        const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
        if (scenario === undefined) throw new Error(`The suite left a result that is not known here: ${name}`);
        const path = join(folder, name, 'checks.json');
        checks.set(scenario, existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []);
    }
    return checks;
}
