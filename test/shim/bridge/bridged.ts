import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { AuthInfo, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterEach } from 'vitest';

import { buildShop } from '../../../fixtures/bridge/shop-v1.mjs';
import { bridgeHandler, bridgeStdio } from '../../../shim/index.js';
import type { HttpBridgeHandler, HttpBridgeOptions, OldServerFactory } from '../../../shim/index.js';
import { builtCli, repoRoot } from '../../repo.js';
import { ALL, answerAs } from '../clients.js';
import type { Scene } from '../clients.js';

/** `http` and `stdio` in process, `serve` by the command and a child. */
export type Way = 'http' | 'stdio' | 'serve';

export const WAYS: readonly Way[] = ['http', 'stdio', 'serve'];

export interface BridgedScene extends Scene {
    /** @default 2026-07-28 */
    readonly era?: 'legacy';
    readonly headers?: Record<string, string>;
}

export interface Bridged {
    readonly client: Client;
    readonly asked: string[];
    /** What the server has done so far, in order. */
    readonly effects: () => string[];
}

const accept = (): ElicitResult => ({ action: 'accept', content: { confirm: true } });

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
});

/** Closes this when the test ends, after what was made later. */
export function closeAfter(close: () => Promise<unknown>): void {
    closing.push(close);
}

export function newClient(scene: BridgedScene = {}): { client: Client; asked: string[] } {
    const pinned = scene.era !== 'legacy' && { versionNegotiation: { mode: { pin: '2026-07-28' } } };
    const capabilities = scene.capabilities ?? ALL;
    const client = new Client({ name: 'test-client', version: '1.0.0' }, { capabilities, ...pinned });
    return { client, asked: answerAs(client, { elicit: accept, ...scene }) };
}

/** A client of the shop, which it meets in this way. */
export async function shopBy(way: Way, scene: BridgedScene = {}, options: HttpBridgeOptions = {}): Promise<Bridged> {
    if (way === 'serve') return shopByServe(scene);
    const effects: string[] = [];
    const factory = () => buildShop(effect => effects.push(effect));
    const connected = way === 'http' ? await byHttp(factory, scene, options) : await byStdio(factory, scene, options);
    return { ...connected, effects: () => effects };
}

export async function byHttp(factory: OldServerFactory, scene: BridgedScene, options: HttpBridgeOptions) {
    const handler = bridgeHandler(factory, { key: 'k'.repeat(32), anonymous: 'share', ...options });
    closeAfter(() => handler.close());
    return { handler, ...(await connectTo(handler, scene)) };
}

/** Another client of the same handler. */
export async function connectTo(handler: HttpBridgeHandler, scene: BridgedScene & { authInfo?: AuthInfo }) {
    const { client, asked } = newClient(scene);
    const transport = new StreamableHTTPClientTransport(new URL('http://server.test/mcp'), {
        requestInit: { headers: scene.headers ?? {} },
        fetch: (url, init) => handler.fetch(new Request(url, init), scene.authInfo && { authInfo: scene.authInfo })
    });
    await client.connect(transport);
    closeAfter(() => client.close());
    return { client, asked };
}

async function byStdio(factory: OldServerFactory, scene: BridgedScene, options: HttpBridgeOptions) {
    const { client, asked } = newClient(scene);
    const [near, far] = InMemoryTransport.createLinkedPair();
    const handle = bridgeStdio(factory, { ...options, transport: far });
    closeAfter(() => handle.close());
    await client.connect(near);
    closeAfter(() => client.close());
    return { client, asked };
}

async function shopByServe(scene: BridgedScene): Promise<Bridged> {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-mrtr-serve-'));
    closeAfter(() => rm(folder, { recursive: true, force: true }));
    const log = join(folder, 'effects');
    writeFileSync(log, '');
    const script = join(repoRoot, 'fixtures/bridge/shop-v1-stdio.mjs');
    const served = await serve(['node', script], scene, { EFFECTS: log });
    return { ...served, effects: () => readFileSync(log, 'utf8').split('\n').filter(Boolean) };
}

/** As the SDK's own, but that the client does not start another process to ask which revisions the server speaks. */
class OneProcess extends StdioClientTransport {}

/** A client of `mcp-mrtr serve -- <command>`. */
export async function serve(
    command: readonly string[],
    scene: BridgedScene = {},
    env: Record<string, string> = {},
    flags: readonly string[] = []
) {
    const { client, asked } = newClient(scene);
    const transport = new OneProcess({
        command: process.execPath,
        args: [builtCli(), 'serve', ...flags, '--', ...command],
        env: { ...(process.env as Record<string, string>), ...env },
        stderr: 'pipe'
    });
    let said = '';
    transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await client.connect(transport);
    closeAfter(() => client.close());
    return { client, asked, transport, stderr: () => said };
}

export type Elicited = ElicitRequest['params'];
