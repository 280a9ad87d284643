import { setTimeout as delay } from 'node:timers/promises';

import { UrlElicitationRequiredError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { createMrtr, elicit } from '../../shim/index.js';
import { answers, ask, askedKeys, FORM, replyText, scripted } from './scripted-server.js';

const both = scripted.bind(null, async ctx => (await Promise.all([ask(ctx, 'a'), ask(ctx, 'b')])).join());

describe('answers of the client', () => {
    it('are asked for again where they are missing, and the others are kept', async () => {
        const { call } = both();
        const first = await call();
        expect(askedKeys(first)).toEqual(['a', 'b']);
        const second = await call({ requestState: first.result!.requestState, inputResponses: answers({ b: '2' }) });
        expect(askedKeys(second)).toEqual(['a']);
        const third = await call({ requestState: second.result!.requestState, inputResponses: answers({ a: '1' }) });
        expect(replyText(third)).toBe('1,2');
    });

    it.each([[undefined], [{}], [null], ['text'], [[]]])(
        'are asked for again if there are none: %j',
        async inputResponses => {
            const { call } = both();
            let reply = await call();
            // No stall, however often: a client that sends nothing has not been answered with something else.
            for (let times = 0; times < 4; times++) {
                reply = await call({ requestState: reply.result!.requestState, inputResponses });
                expect(askedKeys(reply)).toEqual(['a', 'b']);
            }
        }
    );

    it.each([
        [null],
        ['yes'],
        [[]],
        [{}],
        [{ action: 'perhaps' }],
        [{ action: 'accept', content: 'yes' }],
        [{ method: 'elicitation/create', result: { action: 'accept' } }],
        [{ roots: [] }]
    ])('of the wrong shape are asked for again: %j', async wrong => {
        const { call } = both();
        const first = await call();
        const inputResponses = { ...answers({ a: '1' }), b: wrong };
        const second = await call({ requestState: first.result!.requestState, inputResponses });
        expect(askedKeys(second)).toEqual(['b']);
        const third = await call({ requestState: second.result!.requestState, inputResponses: answers({ b: '2' }) });
        expect(replyText(third)).toBe('1,2');
    });

    it('to questions that were not asked are ignored', async () => {
        const { call } = scripted(async ctx => `${await ask(ctx, 'a')} ${await ask(ctx, 'b')}`);
        const first = await call();
        const early = JSON.parse('{"__proto__": {"action": "accept"}, "toString": {"action": "decline"}}') as object;
        const second = await call({
            requestState: first.result!.requestState,
            inputResponses: { ...answers({ a: '1', b: 'early', 'a#2': 'early' }), ...early }
        });
        expect(askedKeys(second)).toEqual(['b']);
        const third = await call({ requestState: second.result!.requestState, inputResponses: answers({ b: '2' }) });
        expect(replyText(third)).toBe('1 2');
    });

    it('that come before any question skip nothing', async () => {
        const { call } = both();
        const reply = await call({ inputResponses: answers({ a: 'early', b: 'early' }) });
        expect(askedKeys(reply)).toEqual(['a', 'b']);
    });

    it('are final: sent again they change nothing', async () => {
        const { call } = scripted(async ctx => `${await ask(ctx, 'a')} ${await ask(ctx, 'b')}`);
        const first = await call();
        const second = await call({ requestState: first.result!.requestState, inputResponses: answers({ a: 'no' }) });
        const third = await call({
            requestState: second.result!.requestState,
            inputResponses: answers({ a: 'yes', b: '2' })
        });
        expect(replyText(third)).toBe('no 2');
    });

    it('must fit the form: the ask rejects with the words of the push API', async () => {
        const { call } = scripted(async ctx => {
            try {
                const requestedSchema = {
                    type: 'object' as const,
                    properties: { n: { type: 'number' as const } },
                    required: ['n']
                };
                return JSON.stringify(await ctx.need('n', elicit({ message: 'How many?', requestedSchema })));
            } catch (error) {
                return `${(error as { code?: number }).code} ${String(error)}`;
            }
        });
        const { result } = await call();
        const wrong = { n: { action: 'accept', content: { n: 'many' } } };
        const reply = await call({ requestState: result!.requestState, inputResponses: wrong });
        expect(replyText(reply)).toBe(
            '-32602 ProtocolError: Elicitation response content does not match requested schema: data/n must be number'
        );
    });

    it('reach a key that is the name of a member of every object', async () => {
        const { play } = scripted(ctx => ask(ctx, 'constructor'));
        expect(replyText(await play({ constructor: '1' }))).toBe('1');
    });
});

describe('answers that come before any question, where the server accepts them,', () => {
    const accepting = (script: Parameters<typeof scripted>[0]) => scripted(script, {}, { acceptUnasked: true });

    it('are given to what is asked under their keys', async () => {
        const { call, attempts } = accepting(async ctx => `${await ask(ctx, 'a')} ${await ask(ctx, 'b')}`);
        expect(replyText(await call({ inputResponses: answers({ a: '1', b: '2' }) }))).toBe('1 2');
        expect(attempts()).toBe(1);
    });

    it('are answers like others from then on', async () => {
        const { call } = accepting(async (ctx, attempt) => {
            const text = attempt < 3 ? 'A?' : 'Another A?';
            return `${await ask(ctx, 'a', text)} ${await ask(ctx, 'b')}`;
        });
        const first = await call({ inputResponses: answers({ a: '1' }) });
        expect(askedKeys(first)).toEqual(['b']);
        const inputResponses = answers({ b: '2', a: 'other' });
        const second = await call({ requestState: first.result!.requestState, inputResponses });
        expect(replyText(second)).toBe('1 2');
        const changed = await call({ requestState: first.result!.requestState, inputResponses });
        expect(askedKeys(changed)).toEqual(['a']);
    });

    it.each([
        ['of other keys', answers({ stray: '1' })],
        ['of the wrong shape', { a: { roots: [] }, b: 'yes' }],
        ['of no shape at all', 'text']
    ])('are ignored if they are %s', async (_, inputResponses) => {
        const { call } = accepting(async ctx => (await Promise.all([ask(ctx, 'a'), ask(ctx, 'b')])).join());
        const first = await call({ inputResponses });
        expect(askedKeys(first)).toEqual(['a', 'b']);
        const plain = await call();
        expect(first.result?.requestState).toHaveLength(plain.result!.requestState!.length);
    });

    it('must not be used up, and do not come back later', async () => {
        const { call } = accepting(async (ctx, attempt) => {
            const a = await ask(ctx, 'a');
            return attempt === 1 ? a : `${a} ${await ask(ctx, 'b')}`;
        });
        expect(replyText(await call({ inputResponses: answers({ a: '1', stray: '2' }) }))).toBe('1');
        const first = await call({ inputResponses: answers({ b: 'early' }) });
        const second = await call({ requestState: first.result!.requestState, inputResponses: answers({ a: '1' }) });
        expect(askedKeys(second)).toEqual(['b']);
    });

    it('are kept if the handler throws for a page before it has them', async () => {
        const { call } = accepting((ctx, attempt) => {
            const a = ask(ctx, 'a');
            if (attempt > 1) return a;
            throw new UrlElicitationRequiredError([{ message: 'Sign in', url: 'https://a.test' } as never]);
        });
        const { result } = await call({ inputResponses: answers({ a: '1' }) });
        const inputResponses = { 'open-url': { action: 'accept' } };
        expect(replyText(await call({ requestState: result!.requestState, inputResponses }))).toBe('1');
    });

    it('do not come with a state', async () => {
        const { call } = accepting(async ctx => `${await ask(ctx, 'a')} ${await ask(ctx, 'b')}`);
        const first = await call();
        const inputResponses = answers({ a: '1', b: 'early' });
        expect(askedKeys(await call({ requestState: first.result!.requestState, inputResponses }))).toEqual(['b']);
    });
});

describe('keys', () => {
    it('number their later occurrences', async () => {
        const { call, play } = scripted(async ctx => {
            const lines: string[] = [];
            while (lines.length < 3) lines.push(await ask(ctx, 'line'));
            return lines.join();
        });
        expect(askedKeys(await call())).toEqual(['line']);
        expect(replyText(await play({ line: '1' }, { 'line#2': '2' }, { 'line#3': '3' }))).toBe('1,2,3');
    });

    it('do not depend on which ask is faster', async () => {
        // On the first attempt A asks first, on the second B does: the known fault of ordinal keys.
        const { play } = scripted(
            async (ctx, attempt) => {
                const slowly = (slow: boolean, key: string, text: string) =>
                    delay(slow ? 30 : 1).then(() => ask(ctx, key, text));
                const [a, b] = await Promise.all([
                    slowly(attempt % 2 === 0, 'a', 'Delete A?'),
                    slowly(attempt % 2 === 1, 'b', 'Delete B?')
                ]);
                return `A: ${a}, B: ${b}`;
            },
            { settleMs: 60 }
        );
        expect(replyText(await play({ a: 'yes', b: 'no' }))).toBe('A: yes, B: no');
    });

    it.each(['', 'line#2', '__proto__'])('may not be %j', async key => {
        const { call } = scripted(ctx => ask(ctx, key));
        const reply = await call();
        expect(reply.result).toMatchObject({
            isError: true,
            content: [{ text: expect.stringContaining('key') as string }]
        });
    });
});

describe('an answer and its question', () => {
    it('belong together: if the question changes it is asked again, with the answers to the others kept', async () => {
        const { call, play, events } = scripted(async (ctx, attempt) => {
            const total = attempt === 1 ? 100 : 200;
            return (await Promise.all([ask(ctx, 'refund', `Refund ${total}?`), ask(ctx, 'reason')])).join();
        });
        const second = await play({ refund: 'yes', reason: 'broken' });
        expect(second.result?.inputRequests).toEqual({
            refund: {
                method: 'elicitation/create',
                params: { mode: 'form', message: 'Refund 200?', requestedSchema: FORM }
            }
        });
        expect(events).toEqual([{ handler: "Tool 'script'", kind: 'refused', key: 'refund' }]);
        const third = await call({
            requestState: second.result!.requestState,
            inputResponses: answers({ refund: 'no' })
        });
        expect(replyText(third)).toBe('no,broken');
    });

    it('belong together as they were when it was asked, whatever becomes of what they were made of', async () => {
        const { call } = scripted(async ctx => {
            const properties = { answer: { type: 'string' as const, title: 'of A' } };
            const question = (key: string) =>
                ctx.need(key, elicit({ message: 'Which?', requestedSchema: { type: 'object', properties } }));
            const a = question('a');
            properties.answer.title = 'of B';
            const both = await Promise.all([a, question('b')]);
            return both.map(({ action }) => action).join();
        });
        const { inputRequests } = (await call()).result as {
            inputRequests: Record<string, { params: { requestedSchema: typeof FORM } }>;
        };
        expect(inputRequests['a']?.params.requestedSchema).toMatchObject({ properties: { answer: { title: 'of A' } } });
        expect(inputRequests['b']?.params.requestedSchema).toMatchObject({ properties: { answer: { title: 'of B' } } });
    });

    it('that JSON cannot hold rejects where it is asked', async () => {
        const { call } = scripted(async ctx => {
            const _meta = { id: 1n };
            const question = elicit({ message: 'A?', requestedSchema: FORM, _meta });
            return ctx.need('a', question).then(
                () => 'never',
                (error: unknown) => (error as Error).name
            );
        });
        expect(replyText(await call())).toBe('TypeError');
    });

    it('of another form belong not together either', async () => {
        const { play } = scripted(async (ctx, attempt) => {
            const requestedSchema = { ...FORM, required: attempt === 1 ? [] : ['answer'] };
            return (await ctx.need('a', elicit({ message: 'A?', requestedSchema }))).action;
        });
        expect(askedKeys(await play({ a: '1' }))).toEqual(['a']);
    });

    it('may be worded anew under an identity', async () => {
        const { play } = scripted(async (ctx, attempt) => {
            const question = elicit(
                { message: `It is ${attempt} o'clock. Go on?`, requestedSchema: FORM },
                { identity: 'go-on' }
            );
            return (await ctx.need('a', question)).action;
        });
        expect(replyText(await play({ a: '1' }))).toBe('accept');
    });

    it('are not told apart by what a schema library adds', async () => {
        const { play } = scripted(async (ctx, attempt) => {
            const requestedSchema =
                attempt === 1 ? FORM : { ...FORM, $schema: 'https://json-schema.org/draft/2020-12/schema' };
            return (await ctx.need('a', elicit({ message: 'A?', requestedSchema, _meta: { attempt } }))).action;
        });
        expect(replyText(await play({ a: '1' }))).toBe('accept');
    });
});

describe('a handler that diverges', () => {
    it('is stopped in its second stall in a row, with both questions and what differs', async () => {
        const { call, play } = scripted((ctx, attempt) => ask(ctx, 'refund', `Refund ${attempt * 100}?`));
        await call();
        const stalled = await play({ refund: 'yes' });
        expect(askedKeys(stalled)).toEqual(['refund']);
        const { error } = await play({ refund: 'yes' }, { refund: 'yes' });
        expect(error).toMatchObject({ code: -32603, data: { reason: 'replay_diverged', keys: ['refund'] } });
        expect(error?.message).toMatch(/Tool 'script'.*Refund 500\?.*Refund 600\?.*params\.message.*ctx\.once/s);
    });

    it('is stopped also if another instance begins to stall', async () => {
        let clock = 0;
        const instance = () => scripted(ctx => ask(ctx, 'refund', `Refund ${++clock}?`));
        const retry = (state: string | undefined) => ({
            requestState: state,
            inputResponses: answers({ refund: 'yes' })
        });
        const first = await instance().call();
        const second = await instance().call(retry(first.result?.requestState));
        const third = await instance().call(retry(second.result?.requestState));
        expect(third.error?.message).toMatch(/Refund 3\?.*ctx\.once/);
    });

    it('may stall once: a deployment in between changes a text', async () => {
        const { play } = scripted((ctx, attempt) => ask(ctx, 'a', attempt === 1 ? 'Old?' : 'New?'));
        expect(replyText(await play({ a: 'old' }, { a: 'new' }))).toBe('new');
    });

    it('may not finish without coming back to the answered question', async () => {
        const { play } = scripted(async (ctx, attempt) => (attempt === 1 ? ask(ctx, 'sure') : 'deleted'));
        const { error, result } = await play({ sure: 'no' });
        expect(result).toBeUndefined();
        expect(error).toMatchObject({ code: -32603, data: { reason: 'replay_diverged', keys: ['sure'] } });
        expect(error?.message).toMatch(/sure\?.*not asked again.*ctx\.once/s);
    });

    it('may do so where its author allows it', async () => {
        const { play } = scripted(async (ctx, attempt) => (attempt === 1 ? ask(ctx, 'sure') : 'deleted'), {
            allowUnclaimed: true
        });
        expect(replyText(await play({ sure: 'no' }))).toBe('deleted');
    });

    it('may leave an ask unawaited that it has issued again', async () => {
        const { play } = scripted(async (ctx, attempt) => {
            const answer = ask(ctx, 'a');
            return attempt === 1 ? answer : 'done';
        });
        expect(replyText(await play({ a: '1' }))).toBe('done');
    });

    it('gives its own error to the client, if it throws', async () => {
        const { play } = scripted(async (ctx, attempt) => {
            if (attempt > 1) throw new Error('disk full');
            return ask(ctx, 'a');
        });
        expect((await play({ a: '1' })).result).toMatchObject({ isError: true, content: [{ text: 'disk full' }] });
    });
});

/** A branch that takes longer than an answer is waited for, or no time at all. */
const late = (isLate: boolean): Promise<unknown> => (isLate ? delay(1500) : Promise.resolve());

describe('an answer that is not reached in time', () => {
    it('is held and given later: a slow instance is not a wrong one', async () => {
        const { play, events } = scripted(async (ctx, attempt) => {
            const slow = late(attempt === 2).then(() => ask(ctx, 'slow'));
            const fast = ask(ctx, 'fast').then(async answer => `${answer} ${await ask(ctx, 'next')}`);
            return (await Promise.all([slow, fast])).join();
        });
        // Attempt 2 comes to `next` while `slow` is still on its way: it waits a second, and asks only `next`.
        const second = await play({ fast: '1', slow: '2' });
        expect(askedKeys(second)).toEqual(['next']);
        expect(events).toEqual([{ handler: "Tool 'script'", kind: 'held', key: 'slow' }]);
    });

    it('is held and given later, to the question that it answers', async () => {
        const { call } = scripted(async (ctx, attempt) => {
            const slow = late(attempt === 2).then(() => ask(ctx, 'slow'));
            const fast = ask(ctx, 'fast').then(async answer => `${answer} ${await ask(ctx, 'next')}`);
            return (await Promise.all([slow, fast])).join();
        });
        const first = await call();
        const second = await call({
            requestState: first.result!.requestState,
            inputResponses: answers({ fast: '1', slow: '2' })
        });
        const third = await call({ requestState: second.result!.requestState, inputResponses: answers({ next: '3' }) });
        expect(replyText(third)).toBe('2,1 3');
    });

    it('is waited for as long as nothing else has to be asked', async () => {
        const { play } = scripted(async (ctx, attempt) => {
            await late(attempt === 2);
            return ask(ctx, 'a');
        });
        expect(replyText(await play({ a: '1' }))).toBe('1');
    });

    it('that is left behind by a handler which finishes is only reported', async () => {
        const { call, events } = scripted(async (ctx, attempt) => {
            if (attempt === 3) return ask(ctx, 'next');
            const slow = late(attempt === 2).then(() => ask(ctx, 'slow'));
            return (await Promise.all([slow, ask(ctx, 'next')])).join();
        });
        const first = await call();
        const second = await call({ requestState: first.result!.requestState, inputResponses: answers({ slow: '1' }) });
        expect(askedKeys(second)).toEqual(['next']);
        const third = await call({ requestState: second.result!.requestState, inputResponses: answers({ next: '2' }) });
        expect(replyText(third)).toBe('2');
        expect(events.map(({ kind, key }) => `${kind} ${key}`)).toEqual(['held slow', 'left slow']);
    });
});

describe('several instances', () => {
    it("finish each other's flows with a shared key", async () => {
        const instances = Array.from({ length: 3 }, () =>
            scripted(async ctx => {
                const lines: string[] = [];
                for (const key of ['a', 'b', 'c', 'd', 'e']) lines.push(await ask(ctx, key));
                return lines.join();
            })
        );
        let reply = await instances[0]!.call();
        for (const [round, key] of ['a', 'b', 'c', 'd', 'e'].entries()) {
            expect(askedKeys(reply)).toEqual([key]);
            const next = instances[(round + 1) % 3]!;
            reply = await next.call({
                requestState: reply.result!.requestState,
                inputResponses: answers({ [key]: key })
            });
        }
        expect(replyText(reply)).toBe('a,b,c,d,e');
        expect(instances.map(({ attempts }) => attempts())).toEqual([2, 2, 2]);
    });
});

it('tells rounds and retries to their hooks, without the answers', async () => {
    const told: unknown[] = [];
    const { play } = scripted(
        ctx => ask(ctx, 'a'),
        {},
        {
            onRound: event => told.push({ event: 'round', ...event }),
            onResume: event => told.push({ event: 'resume', ...event })
        }
    );
    await play({ a: 'secret' });
    const about = {
        method: 'tools/call',
        target: 'script',
        round: 1,
        keys: ['a'],
        stateBytes: expect.any(Number) as number
    };
    expect(told).toEqual([
        { event: 'round', ...about },
        { event: 'resume', ...about }
    ]);
    expect(JSON.stringify(told)).not.toContain('secret');
});

it('goes on if a hook throws, and warns', async () => {
    const warnings: string[] = [];
    const fail = (): never => {
        throw new Error('no disk');
    };
    const { play, call } = scripted(
        ctx => ask(ctx, 'a'),
        {},
        { onRound: fail, onResume: fail, onError: fail, onDiverge: fail, warn: message => warnings.push(message) }
    );
    expect(replyText(await play({ a: '1' }))).toBe('1');
    expect((await call({ requestState: 'm1.x.y' })).error?.code).toBe(-32602);
    expect(warnings.sort()).toEqual(
        ['onError', 'onResume', 'onRound'].map(name => `createMrtr: ${name} threw Error: no disk`)
    );
});

it('refuses a state that would be too large, and names the entry', async () => {
    const { play } = scripted(
        ctx => Promise.all([ask(ctx, 'big')]).then(() => ask(ctx, 'b')),
        {},
        { maxStateBytes: 2000 }
    );
    const { error } = await play({ big: 'x'.repeat(3000) });
    expect(error).toMatchObject({ code: -32603, data: { reason: 'state_too_large' } });
    expect(error?.message).toMatch(/tools\/call 'script'.*'big'/);
});

it('lets hand-written states pass the verify hook of the server', async () => {
    const seen: string[] = [];
    const { verify } = createMrtr({ key: 'k'.repeat(32) }).requestState(state => {
        seen.push(state);
        return { decoded: state };
    });
    expect(await verify('v1.theirs', undefined as never)).toEqual({ decoded: 'v1.theirs' });
    expect(await verify('m1.kid.ours', undefined as never)).toBeUndefined();
    expect(seen).toEqual(['v1.theirs']);
});
