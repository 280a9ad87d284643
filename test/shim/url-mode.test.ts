import { UrlElicitationRequiredError as ErrorOfV1 } from '@modelcontextprotocol/sdk/types.js';
import { McpServer, UrlElicitationRequiredError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { createMrtr } from '../../shim/index.js';
import type { NeedContext } from '../../shim/index.js';
import { ALL, connect, textOf } from './clients.js';
import type { Scene, Wire } from './clients.js';
import { frameClient } from './frames.js';
import type { Reply } from './frames.js';
import { answers, ask, askedKeys, KEY, replyText, scripted } from './scripted-server.js';

const page = (name = 'sign-in') => ({
    mode: 'url' as const,
    message: `Please ${name}`,
    url: `https://shop.test/${name}`,
    elicitationId: `id-of-${name}`
});

/** What a 2025-era handler throws until the user has been there. */
const required = (...names: string[]): Error => new UrlElicitationRequiredError(names.map(name => page(name)));

const consent = { 'open-url': { action: 'accept' } };

/** A server whose tool, prompt and resource need the user to have signed in. */
function gated(signedIn: () => boolean, ran: string[] = [], warn: (message: string) => void = () => undefined) {
    const { attach, resumable } = createMrtr({ key: KEY, warn });
    const gate = (): void => {
        ran.push('gate');
        if (!signedIn()) throw required('sign-in');
        ran.push('done');
    };
    return (): McpServer => {
        const server = attach(new McpServer({ name: 'gated', version: '1.0.0' }));
        server.registerTool(
            'pay',
            {},
            resumable(async () => {
                await server.server.createElicitationCompletionNotifier('id-of-sign-in')();
                gate();
                return { content: [{ type: 'text', text: 'paid' }] };
            })
        );
        server.registerPrompt(
            'pay',
            {},
            resumable(() => {
                gate();
                return { description: 'paid', messages: [] };
            })
        );
        server.registerResource(
            'pay',
            'shop://pay',
            {},
            resumable(() => {
                gate();
                return { contents: [{ uri: 'shop://pay', text: 'paid' }] };
            })
        );
        return server;
    };
}

async function withGate<T>(
    wire: Wire,
    action: 'accept' | 'decline' | 'cancel',
    use: (gate: Awaited<ReturnType<typeof connect>> & { ran: string[] }) => Promise<T>
): Promise<T> {
    let signedIn = false;
    const ran: string[] = [];
    const scene: Scene = {
        elicit: ({ mode }) => {
            signedIn = action === 'accept' && mode === 'url';
            return { action };
        }
    };
    const connected = await connect(
        gated(() => signedIn, ran),
        wire,
        scene
    );
    try {
        return await use({ ...connected, ran });
    } finally {
        await connected.close();
    }
}

describe.each(['http', 'stdio'] as const)('UrlElicitationRequiredError over %s', wire => {
    it('sends the user to the page, and the handler starts again', () =>
        withGate(wire, 'accept', async ({ client, asked, ran }) => {
            expect(textOf(await client.callTool({ name: 'pay' }))).toBe('paid');
            expect(asked).toEqual(['Please sign-in']);
            expect(ran).toEqual(['gate', 'gate', 'done']);
        }));

    it('does so in prompts and resources', () =>
        withGate(wire, 'accept', async ({ client, ran }) => {
            expect((await client.getPrompt({ name: 'pay' })).description).toBe('paid');
            expect(ran).toEqual(['gate', 'gate', 'done']);
        }).then(() =>
            withGate(wire, 'accept', async ({ client }) => {
                expect((await client.readResource({ uri: 'shop://pay' })).contents[0]).toMatchObject({ text: 'paid' });
            })
        ));

    it.each(['decline', 'cancel'] as const)('ends the call on %s, without another run', action =>
        withGate(wire, action, async ({ client, ran }) => {
            const result = await client.callTool({ name: 'pay' });
            expect(result).toMatchObject({ isError: true });
            expect(textOf(result)).toBe(`URL elicitation required, but the user chose to ${action} it`);
            const error = { code: -32603, message: expect.stringContaining(action) as string };
            await expect(client.getPrompt({ name: 'pay' })).rejects.toMatchObject(error);
            await expect(client.readResource({ uri: 'shop://pay' })).rejects.toMatchObject(error);
            expect(ran).toEqual(['gate', 'gate', 'gate']);
        })
    );

    it('is bounded by the client alone, if the handler throws for ever', async () => {
        const build = gated(() => false);
        const { client, asked, close } = await connect(build, wire, {
            maxRounds: 4,
            elicit: () => ({ action: 'accept' })
        });
        await expect(client.callTool({ name: 'pay' })).rejects.toThrow(/4/);
        expect(asked).toHaveLength(4);
        await close();
    });
});

it('UrlElicitationRequiredError leaves as it did on a 2025-era connection', async () => {
    const build = gated(() => false);
    const { client, asked, close } = await connect(build, 'legacy');
    const error = { code: -32042, data: { elicitations: [page()] } };
    await expect(client.callTool({ name: 'pay' })).rejects.toMatchObject(error);
    await expect(client.getPrompt({ name: 'pay' })).rejects.toMatchObject(error);
    expect(asked).toEqual([]);
    await close();
});

describe('a round of pages', () => {
    it('is one of URL elicitations, without ids', async () => {
        const { call } = scripted(() => Promise.reject(required('sign-in', 'pay')));
        const { result } = await call();
        const embedded = (name: string) => ({
            method: 'elicitation/create',
            params: { mode: 'url', message: `Please ${name}`, url: `https://shop.test/${name}` }
        });
        expect(result?.inputRequests).toEqual({ 'open-url': embedded('sign-in'), 'open-url#2': embedded('pay') });
    });

    it.each([
        ['of SDK v1', () => new ErrorOfV1([page()])],
        ['of anything with its code and data', () => ({ code: -32042, data: { elicitations: [page()] } })]
    ])('comes from the error %s too', async (_, error) => {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- plain JavaScript may
        const { call } = scripted(() => Promise.reject(error()));
        expect(askedKeys(await call())).toEqual(['open-url']);
    });

    it.each([
        ['no pages', []],
        ['pages without a URL', [{ mode: 'url', message: 'Please' }]]
    ])('does not come from an error with %s', async (_, elicitations) => {
        const { call } = scripted(() => Promise.reject(new UrlElicitationRequiredError(elicitations as never)));
        expect((await call()).error).toMatchObject({ code: -32603 });
    });

    it('does not come from a handler that is not resumable', async () => {
        const { attach } = createMrtr({ key: KEY });
        const send = frameClient(() => {
            const server = attach(new McpServer({ name: 'plain', version: '1.0.0' }));
            server.registerTool('t', {}, () => {
                throw required('sign-in');
            });
            return server;
        });
        expect((await send({ params: { name: 't' } })).error).toMatchObject({ code: -32603 });
    });

    it('needs a client that can open URLs', async () => {
        const { call } = scripted(() => Promise.reject(required('sign-in')));
        const { status, error } = await call({ capabilities: { elicitation: { form: {} } } });
        expect(status).toBe(400);
        expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { url: {} } } } });
        expect(askedKeys(await call({ capabilities: ALL }))).toEqual(['open-url']);
    });

    it('keeps earlier answers and onces', async () => {
        const ran: string[] = [];
        const { call, play } = scripted(async (ctx, attempt) => {
            const total = await ctx.once('total', () => ran.push('total'));
            const name = await ask(ctx, 'name');
            if (attempt < 3) throw required('sign-in');
            return `${name} ${total} ${await ask(ctx, 'sure')}`;
        });
        const pages = await play({ name: 'Ada' });
        expect(askedKeys(pages)).toEqual(['open-url']);
        const third = await call({ requestState: pages.result?.requestState, inputResponses: consent });
        expect(askedKeys(third)).toEqual(['sure']);
        const { result } = await call({
            requestState: third.result?.requestState,
            inputResponses: answers({ sure: 'yes' })
        });
        expect(replyText({ status: 200, result: result! })).toBe('Ada 1 yes');
        expect(ran).toEqual(['total']);
    });

    it('keeps them of a handler that was parked too, and the new frame parks again', async () => {
        const ran: string[] = [];
        const { call, attempts } = scripted(
            async (ctx, attempt) => {
                const total = await ctx.once('total', () => ran.push('total'));
                const name = await ask(ctx, 'name');
                if (attempt === 1) throw required('sign-in');
                return `${name} ${total} ${await ask(ctx, 'sure')}`;
            },
            { mode: 'park' }
        );
        const answer = ({ result }: Reply, inputResponses: Record<string, unknown>) =>
            call({ requestState: result?.requestState, inputResponses });
        const pages = await answer(await call(), answers({ name: 'Ada' }));
        expect(askedKeys(pages)).toEqual(['open-url']);
        const sure = await answer(pages, consent);
        expect(askedKeys(sure)).toEqual(['sure']);
        expect(replyText(await answer(sure, answers({ sure: 'yes' })))).toBe('Ada 1 yes');
        expect(ran).toEqual(['total']);
        expect(attempts()).toBe(2);
    });

    it('that is answered and comes again is a new round, however often', async () => {
        const { call, attempts } = scripted(() => Promise.reject(required('sign-in')));
        let reply = await call();
        for (let round = 0; round < 8; round++) {
            reply = await call({ requestState: reply.result?.requestState, inputResponses: consent });
            expect(askedKeys(reply)).toEqual(['open-url']);
        }
        expect(attempts()).toBe(9);
    });

    it.each([[undefined], [{}], [{ 'open-url': 'yes' }], [{ 'open-url': { roots: [] } }]])(
        'without an answer starts the handler again: %j',
        async inputResponses => {
            const { call } = scripted((_ctx, attempt) =>
                attempt < 3 ? Promise.reject(required('sign-in')) : Promise.resolve('been there')
            );
            const second = await call({ requestState: (await call()).result?.requestState, inputResponses });
            expect(askedKeys(second)).toEqual(['open-url']);
            expect(replyText(await call({ requestState: second.result?.requestState, inputResponses }))).toBe(
                'been there'
            );
        }
    );

    it('is no stall of the answers that arrived before it', async () => {
        const { play } = scripted(async (ctx, attempt) => {
            // The answers of two retries in a row arrive where the handler cannot take them yet.
            if (attempt === 2 || attempt === 4) throw required('sign-in');
            return `${await ask(ctx, 'a')} ${await ask(ctx, 'b')} ${await ask(ctx, 'c')}`;
        });
        const accept = { 'open-url': '' };
        expect(replyText(await play({ a: '1' }, accept, { b: '2' }, accept, { c: '3' }))).toBe('1 2 3');
    });

    it('waits for a once that runs beside the throw: it would run again', async () => {
        const effects: string[] = [];
        const { play } = scripted(async (ctx, attempt) => {
            const charge = ctx.once('charge', async () => {
                await new Promise(resolve => setTimeout(resolve, 40));
                effects.push('charged');
            });
            if (attempt === 1) throw required('sign-in');
            await charge;
            return effects.join();
        });
        expect(replyText(await play({ 'open-url': '' }))).toBe('charged');
    });

    it('ends the replay where the handler threw', async () => {
        const seen: unknown[] = [];
        const { play } = scripted(async (ctx, attempt) => {
            seen.push(ctx.replaying);
            if (attempt === 1) throw required('sign-in');
            await ctx.once('a', () => 1);
            if (attempt === 2) throw required('sign-in');
            seen.push(ctx.replaying);
            return 'done';
        });
        await play({ 'open-url': '' }, { 'open-url': '' });
        // Nothing was recorded before the first throw, so the second attempt is on new ground from its start.
        expect(seen).toEqual([false, false, true, false]);
    });

    it('comes from what escapes the handler only', async () => {
        const { call } = scripted(async ctx => {
            const guarded = (inner: NeedContext) =>
                Promise.reject(required('sign-in')).catch(() => `handled in round ${inner.round}`);
            return guarded(ctx);
        });
        expect(replyText(await call())).toBe('handled in round 0');
    });
});

describe('createElicitationCompletionNotifier of an attached server', () => {
    it.each(['http', 'stdio'] as const)('does nothing over %s, and warns once', async wire => {
        const warnings: string[] = [];
        const build = gated(
            () => true,
            [],
            message => warnings.push(message)
        );
        const { client, close } = await connect(build, wire);
        expect(textOf(await client.callTool({ name: 'pay' }))).toBe('paid');
        expect(textOf(await client.callTool({ name: 'pay' }))).toBe('paid');
        expect(warnings).toEqual([expect.stringContaining('notifications/elicitation/complete')]);
        await close();
    });

    it('tells a 2025-era client', async () => {
        const warnings: string[] = [];
        const build = gated(
            () => true,
            [],
            message => warnings.push(message)
        );
        const { client, close } = await connect(build, 'legacy');
        const told: string[] = [];
        client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
            told.push(params.elicitationId);
        });
        expect(textOf(await client.callTool({ name: 'pay' }))).toBe('paid');
        expect(told).toEqual(['id-of-sign-in']);
        expect(warnings).toEqual([]);
        await close();
    });

    it('rejects as it did for a 2025-era client that cannot open URLs', async () => {
        const { client, close } = await connect(
            gated(() => true),
            'legacy',
            { capabilities: { elicitation: {} } }
        );
        const result = await client.callTool({ name: 'pay' });
        expect(result).toMatchObject({ isError: true });
        expect(textOf(result)).toMatch(/does not support URL elicitation/);
        await close();
    });
});
