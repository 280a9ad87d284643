import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { textOf } from '../clients.js';
import { shopBy, WAYS } from './bridged.js';
import type { Bridged } from './bridged.js';

const call = async ({ client }: Bridged, name: string, args: Record<string, unknown> = {}): Promise<string> =>
    textOf(await client.callTool({ name, arguments: args }));

describe.each(WAYS)('an unmodified server by %s', way => {
    it('is called as it always was', async () => {
        const shop = await shopBy(way);
        expect(shop.client.getServerVersion()).toMatchObject({ name: 'shop', version: '1.0.0' });
        expect(shop.client.getInstructions()).toBe('Ask before you sell.');
        const { tools } = await shop.client.listTools();
        expect(tools.map(({ name }) => name)).toContain('refund');
        expect(await call(shop, 'plain', { x: 3 })).toBe('x=3');
        expect(await call(shop, 'plain', { x: 'three' })).toContain('Invalid arguments');
        expect(await call(shop, 'missing')).toContain('Tool missing not found');
    });

    it('asks by every call of its SDK, and has its effects once', async () => {
        const shop = await shopBy(way);
        expect(await call(shop, 'refund', { order: 'A1' })).toBe('accept {"confirm":true}');
        expect(shop.effects()).toEqual(['look up A1', 'accept A1']);
        expect(await call(shop, 'chain', { n: 3 })).toBe('accept accept accept');
        expect(await call(shop, 'together')).toBe('accept sampled A word? 1');
        expect(await call(shop, 'caption')).toBe('sampled A caption?');
        expect(await call(shop, 'page')).toBe('accept {"confirm":true}');
        expect(await call(shop, 'total', { net: 100 })).toBe('{"gross":120}');
        expect(shop.asked.slice(0, 4)).toEqual(['Refund A1?', 'Step 1?', 'Step 2?', 'Step 3?']);
    });

    it('asks in prompts and resources, and completes', async () => {
        const { client } = await shopBy(way);
        const prompt = await client.getPrompt({ name: 'letter', arguments: { to: 'Ana' } });
        expect(prompt.messages[0]?.content).toMatchObject({ text: 'To Ana: accept {"confirm":true}' });
        const { contents } = await client.readResource({ uri: 'shop://secret' });
        expect(contents[0]).toMatchObject({ text: 'accept {"confirm":true}' });
        expect((await client.readResource({ uri: 'shop://item/7' })).contents[0]).toMatchObject({ text: 'item 7' });
        const ref = { type: 'ref/prompt', name: 'letter' } as const;
        const { completion } = await client.complete({ ref, argument: { name: 'to', value: 'B' } });
        expect(completion.values).toEqual(['Ben']);
        await expect(client.readResource({ uri: 'shop://nowhere' })).rejects.toMatchObject({
            code: -32602,
            data: { uri: 'shop://nowhere' }
        });
    });

    it('sends its user to a page by error -32042, and is called again', async () => {
        const shop = await shopBy(way);
        expect(await call(shop, 'login', { user: 'ana' })).toBe('hello ana');
        expect(shop.asked).toEqual(['Sign in']);
        expect(shop.effects()).toEqual(['try ana', 'try ana']);
    });

    it('hears what its client cannot do, and says it where it does not cope', async () => {
        const shop = await shopBy(way, { capabilities: {} });
        expect(await call(shop, 'careful')).toBe('fallback: Client does not support form elicitation.');
        await expect(call(shop, 'refund', { order: 'A1' })).rejects.toMatchObject({ code: -32021 });
        await expect(call(shop, 'caption')).rejects.toMatchObject({ code: -32021 });
    });

    it('hears answers that do not fit the form in the words of its SDK', async () => {
        const shop = await shopBy(way, { elicit: () => ({ action: 'accept', content: { confirm: 'maybe' } }) });
        expect(await call(shop, 'careful')).toContain('does not match requested schema');
    });

    it('reports progress and logs on the request that runs', async () => {
        const shop = await shopBy(way);
        const progress: number[] = [];
        const logs: unknown[] = [];
        shop.client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params.data));
        const result = await shop.client.callTool(
            { name: 'report', arguments: { steps: 3 }, _meta: { 'io.modelcontextprotocol/logLevel': 'info' } },
            { onprogress: ({ progress: done, message }) => message === undefined && progress.push(done) }
        );
        expect(textOf(result)).toBe('accept');
        expect(progress).toEqual([1, 2, 3]);
        expect(logs).toEqual(['step 1', 'step 2', 'step 3']);
    });

    it('is cancelled with the call', async () => {
        const shop = await shopBy(way);
        const controller = new AbortController();
        const waiting = shop.client.callTool({ name: 'wait', arguments: {} }, { signal: controller.signal });
        await expect.poll(shop.effects, { timeout: 20_000 }).toEqual(['wait']);
        controller.abort('enough');
        await expect(waiting).rejects.toThrow();
        await expect.poll(shop.effects, { timeout: 20_000 }).toEqual(['wait', 'aborted']);
        expect(await call(shop, 'plain', { x: 1 })).toBe('x=1');
    });

    it('serves 40 calls at the same time, whose answers come in another order', async () => {
        const shop = await shopBy(way, {
            elicit: async ({ message }) => {
                await delay(Math.random() * 50);
                return { action: 'accept', content: { confirm: true, to: message } };
            }
        });
        const orders = Array.from({ length: 40 }, (_, index) => `N${index}`);
        const answers = await Promise.all(orders.map(order => call(shop, 'refund', { order })));
        expect(answers).toEqual(orders.map(order => `accept {"confirm":true,"to":"Refund ${order}?"}`));
    });

    it('never guesses whose question it is', async () => {
        const shop = await shopBy(way);
        expect(await call(shop, 'queued', { message: 'Alone?' })).toBe('accept {"confirm":true}');
        const both = await Promise.all(['One?', 'Two?'].map(message => call(shop, 'queued', { message })));
        expect(both.join('\n')).toMatch(/nothing tells which of them asks/);
    });

    it('tells of lists that have changed and of resources', async () => {
        const shop = await shopBy(way);
        const changed: string[] = [];
        shop.client.setNotificationHandler('notifications/tools/list_changed', () => void changed.push('tools'));
        shop.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
            changed.push(params.uri);
        });
        const subscription = await shop.client.listen({
            toolsListChanged: true,
            resourceSubscriptions: ['shop://item/7']
        });
        await expect.poll(shop.effects, { timeout: 20_000 }).toEqual(['subscribe shop://item/7']);
        await call(shop, 'grow');
        await call(shop, 'touch', { uri: 'shop://item/7' });
        await expect.poll(() => [...changed].sort(), { timeout: 20_000 }).toEqual(['shop://item/7', 'tools']);
        expect(await call(shop, 'grown')).toBe('new here');
        await subscription.close();
        await expect.poll(() => shop.effects().at(-1), { timeout: 20_000 }).toBe('unsubscribe shop://item/7');
    });

    it('is the server that it was for 2025-era clients', async () => {
        const shop = await shopBy(way, { era: 'legacy' });
        expect(await call(shop, 'refund', { order: 'A1' })).toBe('accept {"confirm":true}');
        expect(await call(shop, 'together')).toBe('accept sampled A word? 1');
        expect(await call(shop, 'caption')).toBe('sampled A caption?');
        expect(shop.effects()).toEqual(['look up A1', 'accept A1']);
        await expect(call(shop, 'login', { user: 'ben' })).rejects.toMatchObject({ code: -32042 });
    });
});
