// npm run matrix: servers on old versions of the SDKs behind bridgeHandler, under a client of 2026-07-28. Installs each
// version in a temporary folder, so it needs the registry; prints the table of the README. Exit code 1 if any ask fails.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isBuilt } from './isBuilt.mjs';

const V1 = ['1.13.3', '1.17.5', '1.20.2', '1.22.0', '1.24.3', '1.26.0', '1.29.0', '1.32.2'];
const V2 = ['2.0.0', '2.4.0'];
const MODES = ['auto', 'replay'];
const EXPECTED = {
    elicit: 'accept',
    sample: 'a word',
    roots: 'file:///home',
    send: 'accept',
    together: 'accept accept'
};

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
if (!isBuilt(repository)) {
    const { status } = spawnSync(process.execPath, [join(repository, 'scripts/build.mjs')], { stdio: 'inherit' });
    if (status !== 0) process.exit(1);
}
const { bridgeHandler } = await import('../dist/shim/index.js');

const folder = mkdtempSync(join(tmpdir(), 'mcp-mrtr-matrix-'));
try {
    const rows = [];
    for (const version of V1) rows.push(await tryVersion(`@modelcontextprotocol/sdk@${version}`, 'push-v1.mjs'));
    for (const version of V2) rows.push(await tryVersion(`@modelcontextprotocol/server@${version}`, 'push-v2.mjs'));
    const head = ['', ...Object.keys(EXPECTED)];
    for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
    if (rows.flat().some(cell => cell.startsWith('✗'))) process.exitCode = 1;
} finally {
    rmSync(folder, { recursive: true, force: true });
}

/** One row: the package, and for each ask whether it was answered as it should in every mode. */
async function tryVersion(spec, file) {
    const home = join(folder, spec.replace(/\W+/g, '-'));
    const install = ['install', '--prefix', home, '--no-audit', '--no-fund', '--loglevel=error', spec, ...peers(spec)];
    const { status } = spawnSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`${spec} could not be installed`);
    writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
    copyFileSync(join(repository, 'scripts/matrix', file), join(home, 'server.mjs'));
    const { build } = await import(pathToFileURL(join(home, 'server.mjs')).href);
    const said = await Promise.all(MODES.map(mode => askAll(build, mode)));
    const cells = Object.keys(EXPECTED).map(ask => {
        const wrong = said.map(answers => answers[ask]).find(answer => answer !== EXPECTED[ask]);
        return wrong === undefined ? '✓' : `✗ ${wrong}`;
    });
    return [`\`${spec}\``, ...cells];
}

/** What SDK v2 leaves to its user. */
function peers(spec) {
    return spec.includes('/server@') ? ['zod@4'] : [];
}

async function askAll(build, mode) {
    const handler = bridgeHandler(() => build(), { mode, key: 'k'.repeat(32), anonymous: 'share' });
    const client = new Client(
        { name: 'matrix', version: '1.0.0' },
        {
            capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
            versionNegotiation: { mode: { pin: '2026-07-28' } }
        }
    );
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { ok: true } }));
    client.setRequestHandler('sampling/createMessage', () => ({
        model: 'scripted',
        role: 'assistant',
        content: { type: 'text', text: 'a word' }
    }));
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home' }] }));
    const fetch = (url, init) => handler.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL('http://matrix.test/mcp'), { fetch }));
    const answers = {};
    for (const name of Object.keys(EXPECTED)) {
        const result = await client.callTool({ name }).catch(error => ({ content: [{ text: error.message }] }));
        answers[name] = result.content.map(({ text }) => text).join(' ');
    }
    await client.close();
    await handler.close();
    return answers;
}
