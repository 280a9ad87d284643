import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it, vi } from 'vitest';

import { repoRoot } from '../../repo.js';
import { byHttp, closeAfter, newClient, serve } from './bridged.js';

/** `@modelcontextprotocol/server-everything@2026.8.31`, as it was published. */
const EVERYTHING = join(repoRoot, 'node_modules/everything-2026-08-31/dist');
const COMMAND = [process.execPath, join(EVERYTHING, 'index.js'), 'stdio'];

const page = { url: 'https://example.com/consent', message: 'Please sign in.', elicitationId: 'e1' };

/** A call of every tool of the server, but of those that only a task can run, or that say something of the machine. */
const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
    ['echo', { message: 'hello' }],
    ['get-annotated-message', { messageType: 'error', includeImage: true }],
    ['get-resource-links', { count: 2 }],
    ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
    ['get-roots-list', {}],
    ['get-structured-content', { location: 'Chicago' }],
    ['get-sum', { a: 2, b: 3 }],
    ['get-tiny-image', {}],
    ['gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain;base64,aGVsbG8=', outputType: 'resourceLink' }],
    ['toggle-simulated-logging', {}],
    ['toggle-subscriber-updates', {}],
    ['trigger-elicitation-request', {}],
    ['trigger-long-running-operation', { duration: 0.2, steps: 2 }],
    ['trigger-sampling-request', { prompt: 'A haiku?', maxTokens: 50 }],
    ['trigger-url-elicitation', page]
];

const PROMPTS: readonly (readonly [string, Record<string, string>])[] = [
    ['simple-prompt', {}],
    ['args-prompt', { city: 'Rome', state: 'Lazio' }],
    ['completable-prompt', { department: 'Sales', name: 'David' }],
    ['resource-prompt', { resourceType: 'Text', resourceId: '1' }]
];

const scene = {
    roots: ['file:///projects/site'],
    elicit: () => ({ action: 'accept' as const, content: { name: 'Ada', check: true, integer: 7 } })
};

/** All that the server shows and answers, and what it asked on the way. */
async function play({ client, asked }: { client: Client; asked: string[] }) {
    // Over stdio the published server registers some of them when the handshake is over.
    await vi.waitFor(
        async () => {
            const { tools: registered } = await client.listTools();
            expect(registered.map(({ name }) => name)).toContain('trigger-url-elicitation');
        },
        { timeout: 20_000 }
    );
    const { tools } = await client.listTools();
    const results: Record<string, unknown> = {};
    for (const [name, args] of CALLS) {
        const before = asked.length;
        const result = await client.callTool({ name, arguments: args });
        // When the roots of a client are fetched is not what is compared.
        const questions = asked.slice(before).filter(question => question !== 'roots');
        results[name] = stable({ result, questions });
    }
    for (const [name, args] of PROMPTS) results[name] = stable(await client.getPrompt({ name, arguments: args }));
    const { resources } = await client.listResources();
    for (const { uri } of resources) results[uri] = stable(await client.readResource({ uri }));
    const { resourceTemplates } = await client.listResourceTemplates();
    const dynamic = 'demo://resource/dynamic/text/1';
    results[dynamic] = stable(await client.readResource({ uri: dynamic }));
    const ref = { type: 'ref/prompt' as const, name: 'completable-prompt' };
    const completion = await client.complete({ ref, argument: { name: 'department', value: 'S' } });
    return {
        version: client.getServerVersion(),
        instructions: client.getInstructions(),
        tools: tools.map(({ name, description }) => [name, description]),
        prompts: (await client.listPrompts()).prompts.map(({ name, description }) => [name, description]),
        resources: resources.map(({ uri, name }) => [uri, name]),
        templates: resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        completion: completion.completion.values,
        results
    };
}

/** Without what only one era has, and with the time of day and the session, which stdio has none of, hidden. */
function stable(value: unknown): unknown {
    return JSON.parse(
        JSON.stringify(value, (name, member: unknown) => {
            if (name === '_meta' || name === 'resultType' || name === 'ttlMs' || name === 'cacheScope')
                return undefined;
            if (typeof member !== 'string') return member;
            return member.replace(/\d{1,2}:\d\d:\d\d( [AP]M)?/g, '<time>').replace(/session [\w-]+/g, 'session <id>');
        })
    );
}

describe('server-everything, unmodified', () => {
    let before: Awaited<ReturnType<typeof play>>;

    beforeAll(async () => {
        const { client, asked } = newClient({ ...scene, era: 'legacy' });
        const [command = '', ...args] = COMMAND;
        await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
        before = await play({ client, asked });
        await client.close();
    });

    it('is the same behind mcp-mrtr serve for a 2026-07-28 client', async () => {
        expect(await play(await serve(COMMAND, scene))).toEqual(before);
    });

    it('is the same behind bridgeHandler for a 2026-07-28 client', async () => {
        const server = pathToFileURL(join(EVERYTHING, 'server/index.js')).href;
        const { createServer } = (await import(server)) as {
            createServer: () => { server: never; cleanup: () => void };
        };
        const made: (() => void)[] = [];
        closeAfter(() => Promise.all(made.map(cleanup => Promise.resolve().then(cleanup))));
        const bridged = await byHttp(
            () => {
                const { server: built, cleanup } = createServer();
                made.push(cleanup);
                return built;
            },
            scene,
            {}
        );
        expect(await play(bridged)).toEqual(before);
    });
});
