import { AsyncResource } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { McpServer } from '@modelcontextprotocol/server';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';

import { createMrtr, elicit, need } from '../../shim/index.js';
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

it('rejects outside of every handler', async () => {
    await expect(askFreely('a')).rejects.toThrow(/no resumable handler is running/);
});
