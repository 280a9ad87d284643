import type { AuthInfo, ClientCapabilities } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';

import { buildDesktop } from '../../../fixtures/bridge/desktop-v1.mjs';
import { buildShop } from '../../../fixtures/bridge/shop-v1.mjs';
import { bridgeHandler } from '../../../shim/index.js';
import type { HttpBridgeOptions } from '../../../shim/index.js';
import { ALL, textOf } from '../clients.js';
import { closeAfter, connectTo } from './bridged.js';
import { rawCall, retryOf } from './raw.js';

const KEY = 'k'.repeat(32);

function desktop(options: HttpBridgeOptions = {}, made = { count: 0 }) {
    const handler = bridgeHandler(
        () => {
            made.count++;
            return buildDesktop();
        },
        { key: KEY, principal: ({ authInfo }) => authInfo?.clientId, ...options }
    );
    closeAfter(() => handler.close());
    const as = async (name: string | undefined, roots: string[] = [], capabilities: ClientCapabilities = ALL) => {
        const { client, asked } = await connectTo(handler, {
            roots,
            capabilities,
            ...(name !== undefined && { authInfo: user(name) })
        });
        const call = async (tool: string, args: Record<string, unknown> = {}): Promise<string> =>
            textOf(await client.callTool({ name: tool, arguments: args }));
        return { client, asked, call };
    };
    return { handler, as };
}

function user(clientId: string): AuthInfo {
    return { clientId, token: clientId, scopes: [] };
}

describe('two users of one bridge', () => {
    it('never see anything of each other', async () => {
        const { as } = desktop();
        const [ana, ben] = await Promise.all([as('ana', ['file:///ana']), as('ben', ['file:///ben'])]);
        expect(await Promise.all([ana.call('roots'), ben.call('roots')])).toEqual(['file:///ana', 'file:///ben']);
        expect(await ana.call('note', { words: 'A1' })).toBe('A1');
        expect(await ben.call('note', { words: 'B1' })).toBe('B1');
        expect(await ana.call('note', { words: 'A2' })).toBe('A1 A2');
        expect(await Promise.all([ana.call('confirm', { what: 'A' }), ben.call('confirm', { what: 'B' })])).toEqual([
            'accept',
            'accept'
        ]);
        expect(ana.asked).not.toContain('B?');
        expect(ben.asked).not.toContain('A?');
    });

    it('cannot finish each other’s calls', async () => {
        const { handler } = desktop();
        const call = { name: 'confirm', arguments: { what: 'Sell' } };
        const as = (clientId: string) => ({ authInfo: user(clientId), capabilities: { elicitation: {} } });
        const round = await rawCall(handler, call, as('ana'));
        const stolen = await rawCall(handler, retryOf(call, round), as('ben'));
        expect(stolen).toMatchObject({ error: { code: -32602 } });
        const own = await rawCall(handler, retryOf(call, round), as('ana'));
        expect(textOf(own['result'])).toBe('accept');
    });

    it('have servers for what they can do', async () => {
        const { as } = desktop();
        const able = await as('ana', ['file:///ana']);
        const plain = await as('ana', [], {});
        const names = async ({ client }: typeof able) =>
            (await client.listTools()).tools.map(({ name }) => name).sort();
        expect(await names(able)).toEqual(['confirm', 'dream', 'note', 'roots']);
        expect(await names(plain)).toEqual(['confirm', 'note', 'roots']);
        expect(await able.call('roots')).toBe('file:///ana');
        expect(await plain.call('roots')).toBe('none');
    });

    it('keep theirs, until others need the place', async () => {
        const made = { count: 0 };
        const { as } = desktop({ maxCallers: 2 }, made);
        const [ana, ben] = [await as('ana'), await as('ben')];
        await ana.call('note', { words: '1' });
        await ben.call('note', { words: '1' });
        expect(await ana.call('note', { words: '2' })).toBe('1 2');
        expect(made.count).toBe(2);
        const cleo = await as('cleo');
        await cleo.call('note', { words: '1' });
        // Of the two it was Ben who had been away for longer.
        expect(await ana.call('note', { words: '3' })).toBe('1 2 3');
        expect(await ben.call('note', { words: '2' })).toBe('2');
    });

    it('share nothing where nobody knows who they are', async () => {
        const { as } = desktop();
        const [one, other] = [await as(undefined, ['file:///one']), await as(undefined, ['file:///other'])];
        expect(await one.call('roots')).toBe('file:///one');
        expect(await other.call('roots')).toBe('file:///other');
        expect(await one.call('note', { words: '1' })).toBe('1');
        expect(await other.call('note', { words: '2' })).toBe('2');
        expect(await one.call('confirm', { what: 'Sell' })).toBe('accept');
    });

    it('of the 2025 era have a session each, which is no use to the other', async () => {
        const { handler } = desktop();
        const legacy = async (name: string) => {
            const { client } = await connectTo(handler, { era: 'legacy', authInfo: user(name) });
            const note = async (words: string) => textOf(await client.callTool({ name: 'note', arguments: { words } }));
            return { client, note };
        };
        const [ana, ben] = [await legacy('ana'), await legacy('ben')];
        expect(await ana.note('A1')).toBe('A1');
        expect(await ben.note('B1')).toBe('B1');
        expect(await ana.note('A2')).toBe('A1 A2');
        const session = (ana.client.transport as { sessionId?: string } | undefined)?.sessionId;
        const response = await handler.fetch(
            new Request('http://server.test/mcp', {
                method: 'POST',
                headers: {
                    'content-type': 'application/json',
                    accept: 'application/json, text/event-stream',
                    'mcp-session-id': session ?? ''
                },
                body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'roots' } })
            }),
            { authInfo: user('ben') }
        );
        expect(response.status).toBe(404);
    });
});

describe('what a handler sees of its request', () => {
    it('is who called and with which headers', async () => {
        const handler = bridgeHandler(() => buildShop(), { key: KEY, principal: ({ authInfo }) => authInfo?.clientId });
        closeAfter(() => handler.close());
        const { client } = await connectTo(handler, { authInfo: user('ana'), headers: { 'x-tenant': 'acme' } });
        expect(textOf(await client.callTool({ name: 'whoami' }))).toBe('ana string acme');
    });
});
