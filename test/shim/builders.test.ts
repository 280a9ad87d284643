import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { elicit, elicitUrl, listRoots, sample } from '../../shim/index.js';
import type { NeedContext } from '../../shim/index.js';
import { FORM, replyText, scripted } from './scripted-server.js';

/** The request that the client is sent for the question `q`. */
async function question(asking: (ctx: NeedContext) => Promise<unknown>): Promise<unknown> {
    const reply = await scripted(async ctx => JSON.stringify(await asking(ctx))).call();
    return reply.result?.inputRequests?.['q'] ?? reply;
}

describe('what the client is sent', () => {
    it('for a form, with or without its mode', async () => {
        const request = {
            method: 'elicitation/create',
            params: { mode: 'form', message: 'A?', requestedSchema: FORM }
        };
        expect(await question(ctx => ctx.need('q', elicit({ message: 'A?', requestedSchema: FORM })))).toEqual(request);
        const named = elicit({ mode: 'form', message: 'A?', requestedSchema: FORM });
        expect(await question(ctx => ctx.need('q', named))).toEqual(request);
    });

    it('for a URL: no elicitation id, which 2026-07-28 does not know', async () => {
        const request = { method: 'elicitation/create', params: { mode: 'url', message: 'A?', url: 'https://a.test' } };
        const params = { message: 'A?', url: 'https://a.test', elicitationId: 'x' };
        expect(await question(ctx => ctx.need('q', elicit({ mode: 'url', ...params })))).toEqual(request);
        expect(await question(ctx => ctx.need('q', elicitUrl(params)))).toEqual(request);
        const raw = { method: 'elicitation/create', params: { mode: 'url', ...params } } as const;
        expect(await question(ctx => ctx.need('q', raw))).toEqual(request);
    });

    it('for a Standard Schema: the restricted JSON Schema of a form', async () => {
        const requestedSchema = z.object({ name: z.string().min(1), kind: z.enum(['a', 'b']).optional() });
        expect(await question(ctx => ctx.need('q', elicit({ message: 'A?', requestedSchema })))).toMatchObject({
            params: {
                mode: 'form',
                requestedSchema: {
                    type: 'object',
                    properties: { name: { type: 'string', minLength: 1 }, kind: { type: 'string', enum: ['a', 'b'] } },
                    required: ['name']
                }
            }
        });
    });

    it('for sampling and roots', async () => {
        const params = {
            messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }],
            maxTokens: 7,
            systemPrompt: 'be brief'
        };
        expect(await question(ctx => ctx.need('q', sample(params)))).toEqual({
            method: 'sampling/createMessage',
            params
        });
        expect(await question(ctx => ctx.need('q', listRoots()))).toEqual({ method: 'roots/list' });
    });
});

it('a schema that no form can express is refused where it is given', () => {
    expect(() => elicit({ message: 'A?', requestedSchema: z.object({ deep: z.object({ er: z.string() }) }) })).toThrow(
        TypeError
    );
});

it('accepted content is read by its Standard Schema: with defaults, transformed, and refused in the same words', async () => {
    const requestedSchema = z.object({
        count: z.number().max(5, 'too many'),
        unit: z.string().default('pieces')
    });
    const reading = scripted(async ctx => {
        const result = await ctx
            .need('q', elicit({ message: 'A?', requestedSchema }))
            .catch((error: unknown) => String(error));
        return JSON.stringify(result);
    });
    const answered = async (content: object): Promise<unknown> => {
        const { result } = await reading.call();
        const inputResponses = { q: { action: 'accept', content } };
        return JSON.parse(
            replyText(await reading.call({ requestState: result!.requestState, inputResponses }))!
        ) as unknown;
    };
    expect(await answered({ count: 3 })).toEqual({ action: 'accept', content: { count: 3, unit: 'pieces' } });
    expect(await answered({ count: 9 })).toMatch(/Elicitation response content does not match requested schema: /);
});

it.each([
    ['nothing', undefined],
    ['a text', 'Go on?'],
    ['another request', { method: 'tools/call' }],
    ['parameters', { message: 'A?', requestedSchema: FORM }]
])('need() says what it takes, if it is given %s', async (_, wrong) => {
    const { call } = scripted(ctx => ctx.need('q', wrong as never).then(() => 'asked'));
    const reply = await call();
    expect(replyText(reply)).toMatch(/^need\('q', …\) takes a question made by elicit\(\)/);
});

it('a question of the ESM copy is known to the CommonJS copy by a registered symbol', () => {
    const ask = elicit({ message: 'A?', requestedSchema: FORM }, { identity: 'same' });
    expect(Object.getOwnPropertyDescriptor(ask, Symbol.for('mcp-mrtr.ask'))?.value).toMatchObject({ identity: 'same' });
    expect(JSON.parse(JSON.stringify(ask))).toEqual({ method: ask.method, params: ask.params });
});
