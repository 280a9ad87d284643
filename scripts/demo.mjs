// npm run demo: a push-style server that the MCP project published becomes one that a 2026-07-28 client can use.
// Sets itself up, checks what it shows, and leaves nothing behind.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withClient } from './demo/client.mjs';
import { heading, say } from './demo/say.mjs';
import { linkDependencies, makeWorkingCopy } from './demo/workingCopy.mjs';
import { isBuilt } from './isBuilt.mjs';

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(repository, 'node_modules/everything-2025-08-18');
const cli = join(repository, 'dist/cli/index.js');

/** What the person in front of the client answers. */
const answers = {
    elicitation: { action: 'accept', content: { color: 'teal', number: 7, pets: 'cats' } },
    sampling: {
        model: 'scripted',
        role: 'assistant',
        stopReason: 'endTurn',
        content: { type: 'text', text: 'Autumn rain, one round.' }
    }
};

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
    heading('@modelcontextprotocol/server-everything@2025.8.18, as published (SDK v1, push style)');
    for (const file of readdirSync(join(folder, 'src'))) say(' ', `src/${file}`);

    heading('mcp-mrtr migrate --write --diff');
    run([cli, 'migrate', '--write', '--diff'], folder);
    linkDependencies(folder, [source, repository], { 'mcp-mrtr': repository });

    heading('The migrated server and a client that is pinned to 2026-07-28');
    const pinned = { mode: { pin: '2026-07-28' } };
    await withClient({ folder, negotiation: pinned, answers }, async (client, asked) => {
        assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
        await callAskingTools(client, asked);
    });

    heading('The same server and a 2025-era client');
    await withClient({ folder, answers }, async (client, asked) => {
        assert.notEqual(client.getNegotiatedProtocolVersion(), '2026-07-28');
        await callAskingTools(client, asked);
        // Exists on 2025-era connections only, and samples through the same function of the server.
        await client.subscribeResource({ uri: 'test://static/resource/1' });
        assert.equal(asked.at(-1), 'Resource test://static/resource/1 context: A new subscription was started');
    });
}

async function callAskingTools(client, asked) {
    const elicited = await client.callTool({ name: 'startElicitation', arguments: {} });
    assert.match(textOf(elicited), /Color: teal\n- Number: 7\n- Pets: cats/);
    const sampled = await client.callTool({ name: 'sampleLLM', arguments: { prompt: 'A haiku?', maxTokens: 50 } });
    assert.equal(textOf(sampled), 'LLM sampling result: Autumn rain, one round.');
    assert.deepEqual(asked, ['What are your favorite things?', 'Resource sampleLLM context: A haiku?']);
    say(' ', 'each question was asked once');
}

function textOf({ content }) {
    return content.map(({ text }) => text).join('\n');
}

function run(args, cwd) {
    const { status } = spawnSync(process.execPath, args, { cwd, stdio: 'inherit' });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with exit code ${status}`);
}
