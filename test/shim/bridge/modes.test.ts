import { describe, expect, it } from 'vitest';

import { buildDesk } from '../../../fixtures/bridge/desk-v2.mjs';
import { buildShop } from '../../../fixtures/bridge/shop-v1.mjs';
import { bridgeHandler } from '../../../shim/index.js';
import type { HttpBridgeOptions } from '../../../shim/index.js';
import { textOf } from '../clients.js';
import { byHttp, closeAfter } from './bridged.js';
import { rawCall, retryOf } from './raw.js';

const KEY = 'k'.repeat(32);

/** Another process of the same server: it has the key, and nothing of what the first one has in memory. */
function instance(options: HttpBridgeOptions = {}) {
    const effects: string[] = [];
    const handler = bridgeHandler(() => buildShop(effect => effects.push(effect)), {
        key: KEY,
        anonymous: 'share',
        ...options
    });
    closeAfter(() => handler.close());
    return { handler, effects };
}

const refund = { name: 'refund', arguments: { order: 'A1' } };
const lookup = { name: 'lookup', arguments: { order: 'A1' } };

describe('a call whose process is gone', () => {
    it('is not run again by default, and its client is told to call again', async () => {
        const [one, other] = [instance(), instance()];
        const round = await rawCall(one.handler, refund);
        const answered = await rawCall(other.handler, retryOf(refund, round));
        expect(answered).toMatchObject({ error: { code: -32602, data: { reason: 'other_instance' } } });
        expect(other.effects).toEqual([]);
        expect(textOf((await rawCall(one.handler, retryOf(refund, round)))['result'])).toBe('accept {"confirm":true}');
        expect(one.effects).toEqual(['look up A1', 'accept A1']);
    });

    it('is run again if its tool is read-only, or the operator says that it may', async () => {
        const safe = { replaySafe: ['refund'] };
        const [one, other] = [instance(safe), instance(safe)];
        for (const call of [lookup, refund]) {
            const round = await rawCall(one.handler, call);
            const answered = await rawCall(other.handler, retryOf(call, round));
            expect(textOf(answered['result'])).toBe('accept {"confirm":true}');
        }
        expect(other.effects).toEqual(['look up A1', 'accept A1']);
    });

    it('is never run again under park', async () => {
        const [one, other] = [instance({ mode: 'park' }), instance({ mode: 'park' })];
        const round = await rawCall(one.handler, lookup);
        const answered = await rawCall(other.handler, retryOf(lookup, round));
        expect(answered).toMatchObject({ error: { data: { reason: 'other_instance' } } });
    });

    it('is answered once, however often its client sends it', async () => {
        const { handler, effects } = instance();
        const round = await rawCall(handler, refund);
        const retry = retryOf(refund, round);
        const answers = await Promise.all([rawCall(handler, retry), rawCall(handler, retry)]);
        expect(answers.map(({ result }) => textOf(result))).toEqual(Array(2).fill('accept {"confirm":true}'));
        expect(effects).toEqual(['look up A1', 'accept A1']);
    });
});

describe('mode replay', () => {
    it('runs the call again with every answer, wherever it comes to', async () => {
        const instances = Array.from({ length: 3 }, () => instance({ mode: 'replay' }));
        const call = { name: 'chain', arguments: { n: 2 } };
        let answered = await rawCall(instances[0]!.handler, call);
        answered = await rawCall(instances[1]!.handler, retryOf(call, answered));
        answered = await rawCall(instances[2]!.handler, retryOf(call, answered));
        expect(textOf(answered['result'])).toBe('accept accept');
    });

    it('brings questions that are asked together in one round', async () => {
        const { handler } = instance({ mode: 'replay' });
        const { result } = await rawCall(handler, { name: 'together', arguments: {} });
        const { inputRequests } = result as { inputRequests: Record<string, unknown> };
        expect(Object.keys(inputRequests)).toHaveLength(3);
    });

    it('closes the server of a caller whom nobody knows when its attempt is left', async () => {
        const servers = { made: 0, closed: 0 };
        const handler = bridgeHandler(
            () => {
                const server = buildShop();
                servers.made++;
                server.server.onclose = () => servers.closed++;
                return server;
            },
            { key: KEY, mode: 'replay' }
        );
        closeAfter(() => handler.close());
        const round = await rawCall(handler, refund);
        expect(round['result']).toMatchObject({ resultType: 'input_required' });
        await expect.poll(() => servers.closed).toBe(servers.made);
        expect(servers.made).toBeGreaterThan(0);
    });

    it('names questions as the operator wants them', async () => {
        const { handler } = instance({ mode: 'replay', keyFor: ({ method }) => method.replace('/', '_') });
        const { result } = await rawCall(handler, refund);
        expect(Object.keys((result as { inputRequests: object }).inputRequests)).toEqual(['elicitation_create']);
    });
});

describe.each(['auto', 'replay'] as const)('an unmodified server of SDK v2 under %s', mode => {
    it('asks by every call of its SDK', async () => {
        const { client } = await byHttp(() => buildDesk(), {}, { mode });
        const call = async (name: string, args: Record<string, unknown> = {}) =>
            textOf(await client.callTool({ name, arguments: args }));
        expect(await call('plain', { x: 1 })).toBe('x=1');
        expect(await call('elicit')).toBe('accept');
        expect(await call('instance')).toBe('accept');
        expect(await call('send')).toBe('accept');
        expect(await call('sample')).toBe('sampled A word?');
        expect(await call('roots')).toBe('file:///home');
    });
});

describe('a bridge that is closed', () => {
    it('ends the calls that wait, and takes no more', async () => {
        const { handler, effects } = instance();
        await rawCall(handler, { name: 'careful', arguments: {} });
        const round = await rawCall(handler, refund);
        await handler.close();
        expect(effects).toEqual(['look up A1']);
        await expect(rawCall(handler, retryOf(refund, round))).rejects.toThrow(/closed/);
    });
});
