import type { AuthInfo, CallToolResult } from '@modelcontextprotocol/server';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';

import { createMrtr, elicit } from '../../shim/index.js';
import type { MrtrOptions, StateErrorEvent } from '../../shim/index.js';
import { frameClient } from './frames.js';
import type { Frame, Reply } from './frames.js';

const key = 'a key for tests, long enough for AES';
const yes = { confirm: { action: 'accept', content: {} } };

interface Subject {
    readonly send: (frame: Frame) => Promise<Reply>;
    /** How often a handler has run. */
    readonly runs: () => number;
    readonly faults: StateErrorEvent[];
}

function subject(options: MrtrOptions = {}, serverName = 'victim'): Subject {
    let runs = 0;
    const faults: StateErrorEvent[] = [];
    const { attach, resumable } = createMrtr({ key, onError: fault => faults.push(fault), ...options });
    const send = frameClient(() => {
        const server = attach(new McpServer({ name: serverName, version: '1.0.0' }));
        const ask = resumable(async ({ what }: { what?: string | undefined }, ctx): Promise<CallToolResult> => {
            runs++;
            const { action } = await ctx.need(
                'confirm',
                elicit({ message: 'Go on?', requestedSchema: { type: 'object', properties: {} } })
            );
            return { content: [{ type: 'text', text: `${what} ${action}` }] };
        });
        const inputSchema = z.object({ what: z.string().optional() });
        server.registerTool('transfer', { inputSchema }, ask);
        server.registerTool('delete', { inputSchema }, ask);
        server.registerTool('plain', { inputSchema }, () => ({ content: [{ type: 'text', text: 'plain' }] }));
        server.registerPrompt(
            'transfer',
            {},
            resumable(async ctx => {
                runs++;
                await ctx.need(
                    'confirm',
                    elicit({ message: 'Go on?', requestedSchema: { type: 'object', properties: {} } })
                );
                return { messages: [] };
            })
        );
        return server;
    });
    return { send, runs: () => runs, faults };
}

const call = { name: 'transfer', arguments: { what: 'all', nested: { b: 1, a: 2 } } };

/** The state of a call that waits for its answer. */
async function open({ send }: Subject, frame: Partial<Frame> = {}): Promise<string> {
    const { result } = await send({ params: call, ...frame });
    expect(result?.resultType).toBe('input_required');
    return result!.requestState!;
}

function expectRefused(reply: Reply): void {
    expect(reply.error).toEqual({
        code: -32602,
        message: 'Invalid or expired requestState',
        data: { reason: 'invalid_request_state' }
    });
    expect(reply.result).toBeUndefined();
}

const user = (clientId: string): AuthInfo => ({ token: 't', clientId, scopes: [], extra: { sub: clientId } });

afterEach(() => vi.useRealTimers());

describe('a state', () => {
    it('finishes the call that it was made for, with the arguments in any order', async () => {
        const it = subject();
        const state = await open(it);
        const params = { name: 'transfer', arguments: { nested: { a: 2, b: 1 }, what: 'all' } };
        const reply = await it.send({ params, requestState: state, inputResponses: yes });
        expect(reply.result).toMatchObject({ content: [{ text: 'all accept' }] });
    });

    it('is refused with any character changed, and the handler does not run', async () => {
        const it = subject();
        const state = await open(it);
        const runs = it.runs();
        for (let place = 0; place < state.length; place++) {
            const other = state[place] === 'A' ? 'B' : 'A';
            const changed = state.slice(0, place) + other + state.slice(place + 1);
            expectRefused(await it.send({ params: call, requestState: changed, inputResponses: yes }));
        }
        expect(it.runs()).toBe(runs);
    });

    it.each([
        ['padding', (state: string) => `${state}=`],
        ['a suffix', (state: string) => `${state}.AAAA`],
        ['the other alphabet', (state: string) => state.replaceAll('-', '+').replaceAll('_', '/') + '+'],
        ['whitespace', (state: string) => `${state}\n`],
        ['another version', (state: string) => state.replace('m1.', 'm2.')],
        ['no key id', (state: string) => state.replace(/^m1\.[^.]+\./, 'm1..')],
        ['nothing in it', () => 'm1.'],
        ['a length beyond the limit', (state: string) => state + 'A'.repeat(70_000)]
    ])('is refused with %s', async (_, change) => {
        const it = subject();
        const state = await open(it);
        const runs = it.runs();
        expectRefused(await it.send({ params: call, requestState: change(state), inputResponses: yes }));
        expect(it.runs()).toBe(runs);
    });

    it.each([
        ['another tool', { params: { ...call, name: 'delete' } }],
        ['a prompt of the same name', { method: 'prompts/get', params: { name: 'transfer' } }],
        ['other arguments', { params: { ...call, arguments: { what: 'nothing' } } }],
        ['no arguments', { params: { name: 'transfer' } }],
        ['a tool that asks nothing', { params: { ...call, name: 'plain' } }]
    ] satisfies [string, Frame][])('does not open for %s', async (_, frame) => {
        const it = subject();
        const state = await open(it);
        const runs = it.runs();
        expectRefused(await it.send({ ...frame, requestState: state, inputResponses: yes }));
        expect(it.runs()).toBe(runs);
        expect(it.faults.at(-1)?.fault).toBe('rejected');
    });

    it('does not open for another principal', async () => {
        const it = subject({ principal: ({ http }) => http?.authInfo?.extra?.['sub'] as string });
        const state = await open(it, { authInfo: user('ada') });
        expectRefused(await it.send({ params: call, authInfo: user('eve'), requestState: state, inputResponses: yes }));
        expectRefused(await it.send({ params: call, requestState: state, inputResponses: yes }));
        const reply = await it.send({ params: call, authInfo: user('ada'), requestState: state, inputResponses: yes });
        expect(reply.result).toMatchObject({ content: [{ text: 'all accept' }] });
    });

    it('does not open on another server, nor with another key', async () => {
        const state = await open(subject());
        const elsewhere = subject({}, 'other');
        expectRefused(await elsewhere.send({ params: call, requestState: state, inputResponses: yes }));
        expect(elsewhere.faults[0]?.fault).toBe('rejected');
        const rekeyed = subject({ key: 'another key for tests, long enough' });
        expectRefused(await rekeyed.send({ params: call, requestState: state, inputResponses: yes }));
        expect(rekeyed.faults[0]?.fault).toBe('unknown_key');
        expect(elsewhere.runs() + rekeyed.runs()).toBe(0);
    });

    it('opens on another instance with the same key, also after a rotation', async () => {
        const state = await open(subject());
        for (const options of [{}, { key: undefined, keys: ['the new key of these tests, 32 bytes', key] }]) {
            const reply = await subject(options).send({ params: call, requestState: state, inputResponses: yes });
            expect(reply.result).toMatchObject({ content: [{ text: 'all accept' }] });
        }
    });

    it('expires with its round', async () => {
        vi.useFakeTimers({ toFake: ['Date'] });
        const it = subject({ ttlSeconds: 60 });
        const state = await open(it);
        vi.setSystemTime(Date.now() + 60_000);
        expectRefused(await it.send({ params: call, requestState: state, inputResponses: yes }));
        expect(it.faults.at(-1)?.fault).toBe('expired');
    });

    it('expires with its flow, though every round is in time', async () => {
        vi.useFakeTimers({ toFake: ['Date'] });
        const it = subject({ ttlSeconds: 60, flowTtlSeconds: 100 });
        const first = await open(it);
        vi.setSystemTime(Date.now() + 59_000);
        const second = await open(it, { params: call, requestState: first });
        vi.setSystemTime(Date.now() + 50_000);
        expectRefused(await it.send({ params: call, requestState: second, inputResponses: yes }));
    });

    it('of somebody else never starts a resumable handler', async () => {
        const it = subject();
        expectRefused(await it.send({ params: call, requestState: 'v1.somebody.else', inputResponses: yes }));
        expect(it.runs()).toBe(0);
        expect(it.faults).toEqual([{ method: 'tools/call', target: 'transfer', fault: 'foreign' }]);
    });

    it('that is no text is refused', async () => {
        const it = subject();
        expectRefused(await it.send({ params: call, requestState: { m1: true }, inputResponses: yes }));
        expect(it.runs()).toBe(0);
    });

    it('shows nothing of what it carries', async () => {
        const it = subject();
        const state = await open(it);
        const bytes = Buffer.from(state.split('.')[2]!, 'base64url').toString('latin1');
        expect(bytes).not.toContain('confirm');
    });
});

it('warns once that requests carry authInfo and nobody says who that is', async () => {
    const warnings: string[] = [];
    const it = subject({ warn: message => warnings.push(message) });
    const state = await open(it, { authInfo: user('app') });
    expectRefused(
        await it.send({ params: call, authInfo: user('other-app'), requestState: state, inputResponses: yes })
    );
    expect(warnings).toEqual([expect.stringContaining('principal')]);
});

it('warns once that states are sealed with a random key', async () => {
    const warnings: string[] = [];
    const it = subject({ key: undefined, warn: message => warnings.push(message) });
    await open(it);
    await open(it);
    expect(warnings).toEqual([expect.stringContaining('random')]);
});

it.each([
    ['a short key', { key: 'short' }],
    ['an empty key', { key: '' }],
    ['an empty ring', { key: undefined, keys: [] }],
    ['a TTL of nothing', { ttlSeconds: 0 }],
    ['an endless TTL', { ttlSeconds: Infinity }]
])('refuses %s', (_, options) => {
    expect(() => createMrtr({ key, ...options })).toThrow(RangeError);
});
