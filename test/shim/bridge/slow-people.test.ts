import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { buildDesk } from '../../../fixtures/bridge/desk-v2.mjs';
import { buildShop } from '../../../fixtures/bridge/shop-v1.mjs';
import { builtCli, repoRoot } from '../../repo.js';
import { textOf } from '../clients.js';
import { byHttp, closeAfter, newClient, serve } from './bridged.js';
import type { BridgedScene } from './bridged.js';

/** Longer than the 60 seconds after which the SDKs give up a request to their client. */
const THINK_MS = 90_000;

const REFUND = { name: 'refund', arguments: { order: 'A-17' } };

const TIMED_OUT = 'MCP error -32001: Request timed out';

describe('who takes 90 seconds to answer, by the clock of this process,', () => {
    afterEach(() => vi.useRealTimers());

    /** A person in front of a call, who thinks while the clock is moved on. */
    function thinking() {
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
        const scene: BridgedScene = {
            elicit: async () => {
                await vi.advanceTimersByTimeAsync(THINK_MS);
                return { action: 'accept', content: { confirm: true } };
            }
        };
        return scene;
    }

    /** What is not the person is waited for as well, as the window in which further asks may come. */
    async function inTime<T>(promise: Promise<T>): Promise<T> {
        const wait = { over: false };
        const settled = promise.finally(() => (wait.over = true));
        settled.catch(() => undefined);
        while (!wait.over) {
            await new Promise(resolve => setImmediate(resolve));
            await vi.advanceTimersByTimeAsync(10);
        }
        return settled;
    }

    it('is too late for a server of SDK v1 itself', async () => {
        const { client } = newClient({ ...thinking(), era: 'legacy' });
        const [near, far] = InMemoryTransport.createLinkedPair();
        await buildShop().connect(far);
        await inTime(client.connect(near));
        closeAfter(() => client.close());
        const result = await inTime(client.callTool(REFUND, { timeout: 2 * THINK_MS }));
        expect(textOf(result)).toBe(TIMED_OUT);
    });

    it.each([
        ['SDK v1', () => buildShop(), REFUND, 'accept {"confirm":true}'],
        ['SDK v2', () => buildDesk(), { name: 'elicit' }, 'accept'],
        ['SDK v2, by ctx.mcpReq.send', () => buildDesk(), { name: 'send' }, 'accept']
    ] as const)('is waited for behind bridgeHandler: %s', async (_, factory, call, answer) => {
        const scene = thinking();
        const { client } = await inTime(byHttp(factory, scene, {}));
        expect(textOf(await inTime(client.callTool(call, { timeout: 2 * THINK_MS })))).toBe(answer);
    });
});

describe('who takes 90 seconds to answer, by the clock of the server’s process,', () => {
    const FAST = ['--require', join(repoRoot, 'fixtures/bridge/fast-clock.cjs')];
    const SHOP = join(repoRoot, 'fixtures/bridge/shop-v1-stdio.mjs');
    const REGISTER = ['--import', join(builtCli(), '../../shim/register/index.js')];
    const scene: BridgedScene = {
        elicit: async () => {
            await delay(THINK_MS / 100);
            return { action: 'accept', content: { confirm: true } };
        }
    };
    const overStdio = async (args: string[], era?: 'legacy') => {
        const { client } = newClient({ ...scene, ...(era && { era }) });
        await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
        closeAfter(() => client.close());
        return client;
    };

    it('is too late for a server of SDK v1 itself', async () => {
        const client = await overStdio([...FAST, SHOP], 'legacy');
        expect(textOf(await client.callTool(REFUND))).toBe(TIMED_OUT);
    });

    it('is waited for behind mcp-mrtr serve', async () => {
        const { client } = await serve([process.execPath, ...FAST, SHOP], scene);
        expect(textOf(await client.callTool(REFUND))).toBe('accept {"confirm":true}');
    });

    it('is waited for under register', async () => {
        const client = await overStdio([...FAST, ...REGISTER, SHOP]);
        expect(textOf(await client.callTool(REFUND))).toBe('accept {"confirm":true}');
    });
});
