import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { McpServer, UrlElicitationRequiredError } from '@modelcontextprotocol/server';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createMrtr, createRedisCommitStore } from '../../../shim/index.js';
import type { CommitStore, MrtrOptions, StateErrorEvent } from '../../../shim/index.js';
import { frameClient } from '../frames.js';
import type { Reply } from '../frames.js';
import { answers, ask, askedKeys, KEY, replyText, scripted } from '../scripted-server.js';
import type { ScriptedServer } from '../scripted-server.js';
import { hasRedisServer, redisNote, startRedisServer } from './redis-server.js';
import type { RedisServer } from './redis-server.js';
import { STORE_KINDS } from './stores.js';
import type { SharedStore } from './stores.js';

if (!hasRedisServer) console.warn(`Commit stores are tested without Redis${redisNote}`);

/** The instance is gone: nothing that it says arrives any more. */
function mortal(store: CommitStore): CommitStore & { die: () => void } {
    let dead = false;
    const silence = new Promise<never>(() => undefined);
    return {
        claim: (id, ttl) => (dead ? silence : store.claim(id, ttl)),
        read: id => (dead ? silence : store.read(id)),
        write: (id, value, ttl) => (dead ? silence : store.write(id, value, ttl)),
        release: id => (dead ? silence : store.release(id)),
        die: () => (dead = true)
    };
}

/** What a reply says, whatever request it replies to. */
const said = ({ status, result, error }: Reply): Reply =>
    JSON.parse(JSON.stringify({ status, result, error })) as Reply;

const wrong = { code: -32602, data: { reason: 'already_used' } };
const unknown = { code: -32603, data: { reason: 'outcome_unknown' } };

describe.each(STORE_KINDS)('a round, with a commit store $name', ({ available, open }) => {
    let shared: SharedStore;
    beforeAll(async () => {
        if (available) shared = await open();
    });
    afterAll(() => (available ? shared.close() : undefined));
    const pinned = it.skipIf(!available);

    /** Two instances with one commit after the ask, and everything that they have committed. */
    async function pair(
        options: MrtrOptions = {}
    ): Promise<{ a: ScriptedServer; b: ScriptedServer; committed: string[] }> {
        const committed: string[] = [];
        const instance = async (): Promise<ScriptedServer> =>
            scripted(
                async ctx => {
                    const answer = await ask(ctx, 'sure');
                    // Long enough for the other one to arrive in the middle.
                    await new Promise(resolve => setTimeout(resolve, 20));
                    committed.push(answer);
                    return `${answer} ${committed.length}`;
                },
                {},
                { commitStore: await shared.connect(), ...options }
            );
        return { a: await instance(), b: await instance(), committed };
    }

    const retry = ({ result }: Reply, answer: string) => ({
        requestState: result!.requestState,
        inputResponses: answers({ sure: answer })
    });

    pinned('is finished once, and both instances answer the same', async () => {
        const { a, b, committed } = await pair();
        const again = retry(await a.call(), 'yes');
        const [first, second] = await Promise.all([a.call(again), b.call(again)]);
        expect(replyText(first)).toBe('yes 1');
        expect(said(second)).toEqual(said(first));
        expect(committed).toEqual(['yes']);
    });

    pinned('whose response was lost is answered again, also if the retry has other things in it', async () => {
        const { a, b, committed } = await pair();
        const again = retry(await a.call(), 'yes');
        await a.call(again);
        const inputResponses = { ...again.inputResponses, stray: { action: 'decline' } };
        expect(replyText(await b.call({ ...again, inputResponses }))).toBe('yes 1');
        expect(committed).toEqual(['yes']);
    });

    pinned('is finished once in 200 calls whose retries are sent twice at the same moment', async () => {
        const { a, b, committed } = await pair();
        const flows = Array.from({ length: 200 }, async (_, flow) => {
            const again = retry(await a.call(), `flow ${flow}`);
            return () => Promise.all([a.call(again), b.call(again)]);
        });
        const send = await Promise.all(flows);
        const replies = await Promise.all(send.map(both => both()));
        expect(committed).toHaveLength(200);
        expect(new Set(committed).size).toBe(200);
        for (const [flow, [first, second]] of replies.entries()) {
            expect(replyText(first)).toMatch(new RegExp(`^flow ${flow} `));
            expect(said(second)).toEqual(said(first));
        }
    });

    pinned('is not answered differently a second time', async () => {
        const events: StateErrorEvent[] = [];
        const { a, b, committed } = await pair({ onError: event => events.push(event) });
        const first = await a.call();
        expect(replyText(await a.call(retry(first, 'no')))).toBe('no 1');
        expect((await b.call(retry(first, 'yes'))).error).toMatchObject(wrong);
        expect(committed).toEqual(['no']);
        expect(events).toEqual([{ method: 'tools/call', target: 'script', fault: 'already_used' }]);
    });

    pinned('takes one of two different answers that arrive at the same moment', async () => {
        const { a, b, committed } = await pair();
        const first = await a.call();
        const replies = await Promise.all([a.call(retry(first, 'yes')), b.call(retry(first, 'no'))]);
        expect(committed).toHaveLength(1);
        expect(replies.filter(reply => replyText(reply) === `${committed[0]} 1`)).toHaveLength(1);
        expect(replies.map(({ error }) => error).filter(Boolean)).toEqual([expect.objectContaining(wrong)]);
    });

    pinned('of several gives both the same next one', async () => {
        const commitStore = await shared.connect();
        const { call, attempts } = scripted(
            async ctx => `${await ask(ctx, 'a')} ${await ask(ctx, 'b')}`,
            {},
            { commitStore }
        );
        const again = { requestState: (await call()).result?.requestState, inputResponses: answers({ a: '1' }) };
        const [first, second] = await Promise.all([call(again), call(again)]);
        expect(askedKeys(first)).toEqual(['b']);
        expect(said(second)).toEqual(said(first));
        const last = await call({ requestState: first.result?.requestState, inputResponses: answers({ b: '2' }) });
        expect(replyText(last)).toBe('1 2');
        expect(attempts()).toBe(3);
    });

    pinned('of a parked handler is finished once, and in its own instance only', async () => {
        const instance = async (): Promise<ScriptedServer> =>
            scripted(ctx => ask(ctx, 'sure'), { mode: 'park' }, { commitStore: await shared.connect() });
        const [a, b] = [await instance(), await instance()];
        const first = await a.call();
        expect((await b.call(retry(first, 'yes'))).error).toMatchObject({ data: { reason: 'other_instance' } });
        const replies = await Promise.all([a.call(retry(first, 'yes')), a.call(retry(first, 'yes'))]);
        expect(replies.map(replyText)).toEqual(['yes', 'yes']);
        // What has been finished, the store can tell everywhere.
        expect(replyText(await b.call(retry(first, 'yes')))).toBe('yes');
        expect((await b.call(retry(first, 'no'))).error).toMatchObject(wrong);
        expect(a.attempts()).toBe(1);
    });

    pinned('that ends in an error ends in it again', async () => {
        const commitStore = await shared.connect();
        const { call, attempts } = scripted(
            async (ctx, attempt) => (attempt === 1 ? ask(ctx, 'sure') : 'another branch'),
            {},
            { commitStore }
        );
        const again = retry(await call(), 'no');
        const first = await call(again);
        expect(first.error).toMatchObject({ code: -32603, data: { reason: 'replay_diverged' } });
        expect(said(await call(again))).toEqual(said(first));
        expect(attempts()).toBe(2);
    });

    pinned('that needs what its client lacks is refused again with the same status', async () => {
        const commitStore = await shared.connect();
        const { call } = scripted(async ctx => `${await ask(ctx, 'a')} ${await ask(ctx, 'b')}`, {}, { commitStore });
        const again = { requestState: (await call()).result?.requestState, inputResponses: answers({ a: '1' }) };
        const first = await call({ ...again, capabilities: {} });
        expect(first).toMatchObject({ status: 400, error: { code: -32021 } });
        expect(said(await call({ ...again, capabilities: {} }))).toEqual(said(first));
    });

    pinned('of pages is refused for good', async () => {
        const commitStore = await shared.connect();
        const { call, attempts } = scripted(
            () => Promise.reject(new UrlElicitationRequiredError([{ message: 'Go', url: 'https://a.test' } as never])),
            {},
            { commitStore }
        );
        const { result } = await call();
        const answerWith = (action: string) =>
            call({ requestState: result?.requestState, inputResponses: { 'open-url': { action } } });
        const declined = await answerWith('decline');
        expect(declined.result).toMatchObject({ isError: true });
        expect(said(await answerWith('decline'))).toEqual(said(declined));
        expect((await answerWith('accept')).error).toMatchObject(wrong);
        expect(attempts()).toBe(1);
    });

    pinned('is not used up by a request that did not come to the handler', async () => {
        const commitStore = await shared.connect();
        const asking = scripted(ctx => ask(ctx, 'sure'), {}, { commitStore });
        const again = retry(await asking.call(), 'yes');
        // An instance that is about to be replaced, and has the tool no more.
        const { attach } = createMrtr({ key: KEY, commitStore });
        const elsewhere = frameClient(() => {
            const server = attach(new McpServer({ name: 'scripted', version: '1.0.0' }));
            server.registerTool('other', {}, () => ({ content: [] }));
            return server;
        });
        const reply = await elsewhere({ params: { name: 'script', arguments: {} }, ...again });
        expect(reply.error?.message).toBe('Tool script not found');
        expect(replyText(await asking.call(again))).toBe('yes');
    });

    pinned('whose holder has died is unknown to all others, and never runs again', async () => {
        const begun: string[] = [];
        const store = mortal(await shared.connect());
        const holder = scripted(
            async ctx => {
                begun.push(await ask(ctx, 'sure'));
                store.die();
                return new Promise(() => undefined);
            },
            {},
            { commitStore: store }
        );
        const { b, committed } = await pair();
        const first = await holder.call();
        void holder.call(retry(first, 'yes'));
        const [same, again, other] = await Promise.all(
            ['yes', 'yes', 'no'].map(answer => b.call(retry(first, answer)))
        );
        expect(same?.error).toMatchObject(unknown);
        expect(again?.error).toMatchObject(unknown);
        expect(other?.error).toMatchObject(wrong);
        expect(begun).toEqual(['yes']);
        expect(committed).toEqual([]);
    });
});

describe(`a holder that is killed${redisNote}`, () => {
    let server: RedisServer;
    beforeAll(async () => {
        if (hasRedisServer) server = await startRedisServer();
    });
    afterAll(() => (hasRedisServer ? server.close() : undefined));

    it.skipIf(!hasRedisServer)('has run, and nobody else does', async () => {
        const client = createClient({ url: server.url });
        await client.connect();
        const { call, attempts } = scripted(
            ctx => ask(ctx, 'sure'),
            {},
            { commitStore: createRedisCommitStore(client) }
        );
        const { result } = await call();
        const again = { requestState: result?.requestState, inputResponses: answers({ sure: 'yes' }) };

        const path = fileURLToPath(new URL('instance.ts', import.meta.url));
        const holder = fork(path, [server.url], { execArgv: ['--import', 'tsx'] });
        holder.send(again);
        expect(await once(holder, 'message')).toEqual(['committing', undefined]);
        const killed = once(holder, 'exit');
        holder.kill('SIGKILL');
        await killed;
        expect((await call(again)).error).toMatchObject(unknown);
        expect(attempts()).toBe(1);
        client.destroy();
    });
});
