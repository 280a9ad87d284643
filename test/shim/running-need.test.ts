import { AsyncResource } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { McpServer } from '@modelcontextprotocol/server';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';

import { clientCapabilities, createMrtr, elicit, need } from '../../shim/index.js';
import { connect, textOf, WIRES } from './clients.js';
import { FORM, KEY } from './scripted-server.js';

async function askFreely(key: string): Promise<string> {
    const { content } = await need(key, elicit({ message: key, requestedSchema: FORM }));
    return String(content?.['answer']);
}

/** A pool that was started outside of every call: what it runs does not know for whom. */
const jobs: (() => void)[] = [];
const worker = setInterval(() => jobs.shift()?.(), 1);
afterAll(() => clearInterval(worker));

function inThePool<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
        jobs.push(() => void work().then(resolve, reject));
    });
}

describe.each(WIRES)('need() without a context, over %s', wire => {
    async function results(names: string[], handler: (name: string) => Promise<string>): Promise<string[]> {
        const { attach, resumable } = createMrtr({ key: KEY });
        const build = (): McpServer => {
            const server = attach(new McpServer({ name: 'running', version: '1.0.0' }));
            server.registerTool(
                't',
                { inputSchema: z.object({ name: z.string() }) },
                resumable(async ({ name }) => ({ content: [{ type: 'text', text: await handler(name) }] }))
            );
            return server;
        };
        const { client, close } = await connect(build, wire, {
            elicit: ({ message }) => ({ action: 'accept', content: { answer: `${message}!` } })
        });
        const all = await Promise.all(names.map(name => client.callTool({ name: 't', arguments: { name } })));
        await close();
        return all.map(textOf);
    }

    it('finds the handler that runs', async () => {
        expect(await results(['a'], async name => `${await askFreely(name)} ${await askFreely('b')}`)).toEqual([
            'a! b!'
        ]);
    });

    it('tells calls apart that run at the same time', async () => {
        const names = ['a', 'b', 'c', 'd', 'e'];
        const texts = await results(names, async name => {
            await delay(10 - names.indexOf(name) * 2);
            return `${name}: ${await askFreely(name)}`;
        });
        expect(texts).toEqual(names.map(name => `${name}: ${name}!`));
    });

    it('says what to do where the handler is lost', async () => {
        const [text] = await results(['a'], name => inThePool(() => askFreely(name)));
        expect(text).toMatch(/no resumable handler is running.*AsyncResource\.bind/);
    });

    it('finds it again in a function that was bound', async () => {
        const texts = await results(['a'], name => inThePool(AsyncResource.bind(() => askFreely(name))));
        expect(texts).toEqual(['a!']);
    });
});

describe.each(WIRES)('a server that is attached with mode park, over %s', wire => {
    it('has no handler that is wrapped, and runs each once', async () => {
        const { attach } = createMrtr({ key: KEY });
        let runs = 0;
        const build = (): McpServer => {
            const server = attach(new McpServer({ name: 'parking', version: '1.0.0' }), { mode: 'park' });
            server.registerTool('t', { inputSchema: z.object({}) }, async () => {
                runs += 1;
                const asked = clientCapabilities(undefined, server)?.elicitation !== undefined;
                const text = asked ? `${await askFreely('a')} ${await askFreely('b')}` : 'nobody to ask';
                return { content: [{ type: 'text', text }] };
            });
            server.registerTool('quiet', {}, () => ({ content: [{ type: 'text', text: 'nothing asked' }] }));
            return server;
        };
        const { client, close } = await connect(build, wire, {
            elicit: ({ message }) => ({ action: 'accept', content: { answer: `${message}!` } })
        });
        const texts = [await client.callTool({ name: 't' }), await client.callTool({ name: 'quiet' })].map(textOf);
        await close();
        expect(texts).toEqual(['a! b!', 'nothing asked']);
        expect(runs).toBe(1);
    });
});

describe('outside of every handler', () => {
    it.each<[string, (ask: (request: unknown) => Promise<unknown>) => object]>([
        ['a server', elicitInput => ({ elicitInput })],
        ['a server around it', elicitInput => ({ server: { elicitInput } })],
        ['the context of a request', send => ({ mcpReq: { send } })],
        ['what sends requests', sendRequest => ({ sendRequest })]
    ])('%s is asked, where there is one', async (_, around) => {
        const asked: unknown[] = [];
        const outside = around(request => {
            asked.push(request);
            return Promise.resolve({ action: 'decline' });
        });
        const ask = elicit({ message: 'really?', requestedSchema: FORM });
        expect(await need('a', ask, outside)).toEqual({ action: 'decline' });
        expect(asked).toHaveLength(1);
        expect(JSON.stringify(asked)).toContain('"message":"really?"');
    });

    it('a server that cannot be asked is said', async () => {
        const ask = elicit({ message: 'really?', requestedSchema: FORM });
        await expect(need('a', ask, {})).rejects.toThrow(/cannot send elicitation\/create/);
    });
});

it('rejects outside of every handler', async () => {
    await expect(askFreely('a')).rejects.toThrow(/no resumable handler is running/);
});
