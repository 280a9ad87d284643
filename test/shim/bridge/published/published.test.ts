import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { repoRoot } from '../../../repo.js';
import { closeAfter } from '../bridged.js';
import { play } from './play.js';
import type { Player, Script } from './play.js';
import { plainly, WAYS, waysOf } from './ways.js';
import type { Published } from './ways.js';

const installed = (path: string): string => join(repoRoot, 'node_modules', path);

/** `@modelcontextprotocol/server-everything@2026.8.31`: registers late, keeps roots per session, asks in every way. */
const EVERYTHING: Published = {
    script: installed('everything-2026-08-31/dist/index.js'),
    args: ['stdio'],
    httpArgs: ['streamableHttp'],
    factory: async () => {
        const path = pathToFileURL(installed('everything-2026-08-31/dist/server/index.js')).href;
        const { createServer } = (await import(path)) as { createServer: () => { server: never; cleanup: () => void } };
        const { server, cleanup } = createServer();
        closeAfter(() => Promise.resolve().then(cleanup));
        return server;
    }
};

/** Every tool of it, but those that only a task can run, or that say something of the machine. */
const ALL_OF_EVERYTHING: Script = {
    tools: [
        ['echo', { message: 'hello' }],
        ['echo', { message: 1 }],
        ['get-annotated-message', { messageType: 'error', includeImage: true }],
        ['get-resource-links', { count: 2 }],
        ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
        ['get-roots-list', {}],
        ['get-structured-content', { location: 'Chicago' }],
        ['get-sum', { a: 2, b: 3 }],
        ['get-tiny-image', {}],
        [
            'gzip-file-as-resource',
            { name: 'a.gz', data: 'data:text/plain;base64,aGVsbG8=', outputType: 'resourceLink' }
        ],
        ['toggle-simulated-logging', {}],
        ['toggle-simulated-logging', {}],
        ['toggle-subscriber-updates', {}],
        ['toggle-subscriber-updates', {}],
        ['trigger-elicitation-request', {}],
        ['trigger-long-running-operation', { duration: 0.2, steps: 2 }],
        ['trigger-sampling-request', { prompt: 'A haiku?', maxTokens: 50 }],
        [
            'trigger-url-elicitation',
            { url: 'https://example.com/consent', message: 'Please sign in.', elicitationId: 'e1' }
        ],
        ['no-such-tool', {}]
    ],
    prompts: [
        ['simple-prompt', {}],
        ['args-prompt', { city: 'Rome', state: 'Lazio' }],
        ['completable-prompt', { department: 'Sales', name: 'David' }],
        ['resource-prompt', { resourceType: 'Text', resourceId: '1' }]
    ],
    resources: ['demo://resource/dynamic/text/1', 'demo://nowhere'],
    completions: [
        { ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'S' } },
        {
            ref: { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' },
            argument: { name: 'resourceId', value: '3' }
        }
    ]
};

const person = {
    roots: ['file:///projects/site'],
    elicit: () => ({ action: 'accept' as const, content: { name: 'Ada', check: true, integer: 7 } })
};

/** Over stdio the published server registers some tools when the handshake is over. */
async function ready({ client }: Player): Promise<void> {
    const registered = async () => (await client.listTools()).tools.map(({ name }) => name);
    await vi.waitFor(async () => expect(await registered()).toContain('trigger-url-elicitation'), { timeout: 20_000 });
}

describe('server-everything, unmodified', () => {
    let before: unknown;

    beforeAll(async () => {
        const player = await plainly(EVERYTHING, person);
        await ready(player);
        before = await play(player, ALL_OF_EVERYTHING);
        expect(player.asked).toEqual(
            expect.arrayContaining(['roots', expect.stringContaining('A haiku?'), 'Please sign in.'])
        );
        await player.client.close();
    });

    it.each(waysOf(EVERYTHING))('is the same by %s for a 2026-07-28 client', async way => {
        const player = await WAYS[way]!(EVERYTHING, person);
        await ready(player);
        expect(await play(player, ALL_OF_EVERYTHING)).toEqual(before);
    });

    it.each(waysOf(EVERYTHING))('says by %s what its resources and it itself have to say', async way => {
        const { client } = await WAYS[way]!(EVERYTHING, person);
        const uri = 'demo://resource/dynamic/text/1';
        const heard: unknown[] = [];
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
        client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data));
        const subscription = await client.listen({ resourceSubscriptions: [uri] });
        // The old server is told of it by a request of its own, for which nobody waits.
        const toggle = () => client.callTool({ name: 'toggle-subscriber-updates', arguments: {} });
        await vi.waitFor(
            async () => {
                await toggle();
                expect(heard).toContain(uri);
            },
            { timeout: 20_000, interval: 100 }
        );
        await subscription.close();
        const loud = { 'io.modelcontextprotocol/logLevel': 'debug' };
        const logging = { name: 'toggle-simulated-logging', arguments: {}, _meta: loud };
        await client.callTool(logging);
        await expect.poll(() => heard, { timeout: 20_000 }).toContainEqual(expect.stringMatching(/[- ]level[- ]/i));
        // A server in this process goes on with both when it is closed.
        await client.callTool(logging);
        await client.callTool({ name: 'toggle-subscriber-updates', arguments: {} });
    });
});

describe('server-filesystem, unmodified', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-mrtr-files-')));
    const other = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-mrtr-other-')));
    const inside = (path: string): string => join(folder, path);
    /** It has no folder of its own: it may read what the client names as its roots, once it knows them. */
    const FILESYSTEM: Published = { script: installed('filesystem-2026-08-31/dist/index.js'), args: [] };
    const ALL_OF_FILESYSTEM: Script = {
        tools: [
            ['list_allowed_directories', {}],
            ['write_file', { path: inside('b.txt'), content: 'one\ntwo\nthree\n' }],
            ['edit_file', { path: inside('b.txt'), edits: [{ oldText: 'two', newText: 'deux' }] }],
            ['read_file', { path: inside('a.txt') }],
            ['read_text_file', { path: inside('b.txt'), tail: 2 }],
            ['read_media_file', { path: inside('dot.png') }],
            ['read_multiple_files', { paths: [inside('a.txt'), inside('none.txt')] }],
            ['create_directory', { path: inside('deep/er') }],
            ['move_file', { source: inside('b.txt'), destination: inside('deep/b.txt') }],
            ['list_directory', { path: folder }],
            ['list_directory_with_sizes', { path: folder }],
            ['directory_tree', { path: folder }],
            ['search_files', { path: folder, pattern: '**/*.txt' }],
            ['read_file', { path: join(other, 'secret.txt') }],
            ['read_file', {}]
        ],
        prompts: [],
        resources: [],
        completions: []
    };
    const roots = [pathToFileURL(folder).href];

    const reset = (): void => {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder);
        writeFileSync(inside('a.txt'), 'alpha\n');
        writeFileSync(inside('dot.png'), Buffer.from([137, 80, 78, 71]));
        writeFileSync(join(other, 'secret.txt'), 'secret');
    };

    let before: unknown;

    beforeAll(async () => {
        reset();
        const player = await plainly(FILESYSTEM, { roots });
        await vi.waitFor(() => expect(player.asked).toEqual(['roots']));
        before = await play(player, ALL_OF_FILESYSTEM);
        expect(JSON.stringify(before)).toContain('deux');
        expect(JSON.stringify(before)).toContain('Access denied');
        await player.client.close();
    });
    afterAll(() => {
        for (const path of [folder, other]) rmSync(path, { recursive: true, force: true });
    });

    it.each(waysOf(FILESYSTEM))('is the same by %s for a 2026-07-28 client', async way => {
        reset();
        expect(await play(await WAYS[way]!(FILESYSTEM, { roots }), ALL_OF_FILESYSTEM)).toEqual(before);
    });
});
