import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, type Transport } from '@modelcontextprotocol/server';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../../codemods/project/packages.js';
import { upgradeSdk } from '../../../codemods/upgrade/upgradeSdk.js';
import { zod3Files } from '../../../codemods/upgrade/zod3Files.js';

it('a published server in compiled JavaScript runs on SDK v2 after the upgrade', async () => {
    // Below node_modules, where its imports resolve to ours.
    const folder = mkdtempSync(join(packageRoot, 'node_modules', '.everything-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(join(packageRoot, 'node_modules', 'everything-2025-08-18', 'dist'), folder, { recursive: true });
    const names = readdirSync(folder).filter(name => name.endsWith('.js'));
    const files = new Map(names.map(name => [join(folder, name), readFileSync(join(folder, name), 'utf8')]));
    const { files: upgraded, diagnostics } = upgradeSdk({ files });
    expect(diagnostics.filter(({ level }) => level === 'error')).toEqual([]);
    // It is written for zod 3 and hands the SDK JSON Schemas only.
    for (const [path, text] of zod3Files({ files: upgraded, schemaFiles: new Set() })) upgraded.set(path, text);
    for (const [path, text] of upgraded) writeFileSync(path, text);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

    const everything = (await import(pathToFileURL(join(folder, 'everything.js')).href)) as {
        createServer: () => { server: { connect: (transport: Transport) => Promise<void> }; cleanup: () => void };
    };
    const { server, cleanup } = everything.createServer();
    const [there, here] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    await server.connect(there);
    await client.connect(here);
    const { tools } = await client.listTools();
    const { content } = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
    expect(tools.map(({ name }) => name)).toContain('sampleLLM');
    expect(content).toEqual([{ type: 'text', text: 'The sum of 2 and 3 is 5.' }]);
    await client.close();
    cleanup();
});
