// npm run demo: a push-style server that the MCP project published becomes one that a 2026-07-28 client can use.
// Sets itself up, checks what it shows, and leaves nothing behind.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withClient } from './demo/client.mjs';
import { heading, say } from './demo/say.mjs';
import { linkDependencies, makeWorkingCopy } from './demo/workingCopy.mjs';
import { isBuilt } from './isBuilt.mjs';

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(repository, 'node_modules/everything-2026-08-31');
const cli = join(repository, 'dist/cli/index.js');

/** What the person in front of the client answers. */
const answers = {
    form: { action: 'accept', content: { name: 'Ada', check: true, integer: 7 } },
    page: { action: 'accept' },
    sampling: {
        model: 'scripted',
        role: 'assistant',
        stopReason: 'endTurn',
        content: { type: 'text', text: 'Autumn rain, one round.' }
    },
    roots: [{ uri: 'file:///projects/site', name: 'Site' }]
};

/** Every tool of the server that asks: for a form, a completion, the roots, a page, and a page before the page. */
const page = { url: 'https://example.com/consent', message: 'Please sign in.', elicitationId: 'demo' };
const tools = [
    ['trigger-elicitation-request', {}],
    ['trigger-sampling-request', { prompt: 'A haiku?', maxTokens: 50 }],
    ['get-roots-list', {}],
    ['trigger-url-elicitation', page],
    ['trigger-url-elicitation', { ...page, errorPath: true }]
];

if (!isBuilt(repository)) run([join(repository, 'scripts/build.mjs')], repository);

const copy = makeWorkingCopy(source);
for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
        copy.remove();
        process.exit(130);
    });
}
try {
    await demonstrate(copy.folder);
    console.log('\nEverything was as expected.');
} catch (error) {
    console.error('\nThe demo did not go as expected:');
    console.error(error);
    process.exitCode = 1;
} finally {
    copy.remove();
}

async function demonstrate(folder) {
    heading(
        '@modelcontextprotocol/server-everything@2026.8.31, as published (SDK v1, push style), and a 2025-era client'
    );
    linkDependencies(folder, [source, repository], {});
    const script = 'src/index.js';
    const before = await withClient({ folder, script, answers }, callTools);

    heading('mcp-mrtr migrate --write');
    run([cli, 'migrate', '--write'], folder);
    linkDependencies(folder, [source, repository], { 'mcp-mrtr': repository });

    heading('The migrated server and a client that is pinned to 2026-07-28');
    const negotiation = { mode: { pin: '2026-07-28' } };
    const after = await withClient({ folder, script, negotiation, answers }, async player => {
        assert.equal(player.client.getNegotiatedProtocolVersion(), '2026-07-28');
        return callTools(player);
    });
    assert.deepEqual(after, before);
    say(' ', 'the same questions, each asked once, and the same results');

    heading('The migrated server and a 2025-era client');
    const legacy = await withClient({ folder, script, answers }, async player => {
        assert.notEqual(player.client.getNegotiatedProtocolVersion(), '2026-07-28');
        return callTools(player);
    });
    assert.deepEqual(legacy, before);
    say(' ', 'the same again');
}

/** Calls every asking tool and returns what was asked and what came back. */
async function callTools({ call, client, asked }) {
    // The published server registers them when the handshake is over.
    while (!(await client.listTools()).tools.some(({ name }) => name === 'trigger-url-elicitation')) await sleep(50);
    const results = [];
    for (const [name, args] of tools) results.push(await call(name, args));
    return { asked, results };
}

function run(args, cwd) {
    const { status } = spawnSync(process.execPath, args, { cwd, stdio: 'inherit' });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with exit code ${status}`);
}
