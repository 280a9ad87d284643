import { describe, expect, it } from 'vitest';

import { buildDispatcher } from '../../fixtures/servers/dispatcher.js';
import { buildShop } from '../../fixtures/servers/shop.js';
import type { Effects } from '../../fixtures/servers/shop.js';
import { createMrtr } from '../../shim/index.js';
import { connect, textOf, WIRES } from './clients.js';
import type { Scene, Wire } from './clients.js';

const key = 'a key for tests, long enough for AES';

async function withShop<T>(
    wire: Wire,
    scene: Scene,
    use: (shop: Awaited<ReturnType<typeof connect>> & { effects: Effects }) => Promise<T>
): Promise<T> {
    const mrtr = createMrtr({ key });
    const effects: Effects = {};
    const shop = await connect(() => buildShop(mrtr, effects), wire, scene);
    try {
        return await use({ ...shop, effects });
    } finally {
        await shop.close();
    }
}

const accept: Scene = {
    elicit: ({ message }) => ({
        action: 'accept',
        content: message.startsWith('Why')
            ? { reason: 'broken' }
            : message.startsWith('Your')
              ? { name: 'Ada' }
              : { confirm: true }
    })
};

describe.each(WIRES)('one handler for both eras, %s', wire => {
    it('asks, takes the answer and finishes', () =>
        withShop(wire, accept, async ({ client, asked, effects }) => {
            const result = await client.callTool({ name: 'refund', arguments: { order: 'A7' } });
            expect(textOf(result)).toBe('refunded A7: broken');
            expect(asked).toEqual(['Refund 100 for A7?', 'Why A7?']);
            // Three attempts on 2026-07-28, one on 2025-11-25: once and the effect after the last ask run once.
            expect(effects).toEqual({ lookup: 1, refund: 1 });
        }));

    it.each(['decline', 'cancel'] as const)('hands %s to the handler', action =>
        withShop(wire, { elicit: () => ({ action }) }, async ({ client, effects }) => {
            const result = await client.callTool({ name: 'refund', arguments: { order: 'A7' } });
            expect(textOf(result)).toBe('kept');
            expect(effects).toEqual({ lookup: 1 });
        })
    );

    it('samples and lists roots', () =>
        withShop(wire, { roots: ['file:///a', 'file:///b'] }, async ({ client, asked }) => {
            expect(textOf(await client.callTool({ name: 'summarise' }))).toBe('sampled Describe 2 folders');
            expect(asked).toEqual(['roots', 'Describe 2 folders']);
        }));

    it('sends the user to a URL', () =>
        withShop(wire, { elicit: params => ({ action: params.mode === 'url' ? 'accept' : 'cancel' }) }, async shop => {
            expect(textOf(await shop.client.callTool({ name: 'login' }))).toBe('login accept');
        }));

    it('shows the handler what the client declared', () =>
        withShop(wire, { capabilities: { elicitation: { form: {} } } }, async ({ client }) => {
            expect(textOf(await client.callTool({ name: 'login' }))).toBe('no browser');
        }));

    it('asks within a prompt', () =>
        withShop(wire, accept, async ({ client }) => {
            const { messages } = await client.getPrompt({ name: 'greet', arguments: { tone: 'warmly' } });
            expect(messages[0]?.content).toEqual({ type: 'text', text: 'Greet Ada, warmly' });
        }));

    it('asks within a resource and a resource template', () =>
        withShop(wire, accept, async ({ client }) => {
            const report = await client.readResource({ uri: 'shop://report' });
            expect(report.contents[0]).toMatchObject({ text: 'report accept' });
            const order = await client.readResource({ uri: 'shop://orders/7' });
            expect(order.contents[0]).toMatchObject({ text: 'order 7 accept' });
        }));

    it('asks under a low-level server', async () => {
        const { client, close } = await connect(() => buildDispatcher(createMrtr({ key })), wire);
        expect(textOf(await client.callTool({ name: 'describe' }))).toBe('sampled a tool');
        expect(textOf(await client.callTool({ name: 'ask' }))).toBe('accept');
        await close();
    });
});

it('pushes from a method that exists on 2025-era connections only', async () => {
    const log: string[] = [];
    const { client, close } = await connect(() => buildDispatcher(createMrtr({ key }), log), 'legacy');
    await client.subscribeResource({ uri: 'shop://orders' });
    expect(log).toEqual(['sampled shop://orders']);
    await close();
});

it('sends asks that are open at the same time as one round', () =>
    withShop('http', { ...accept, maxRounds: 1 }, async ({ client, asked, effects }) => {
        // With a second round the client would give up.
        const result = await client.callTool({
            name: 'deploy',
            arguments: { environments: ['test', 'stage', 'prod'] }
        });
        expect(textOf(result)).toBe('test: accept, stage: accept, prod: accept');
        expect(asked).toEqual(['Deploy to test?', 'Deploy to stage?', 'Deploy to prod?']);
        expect(effects).toEqual({ deploy: 1 });
    }));
