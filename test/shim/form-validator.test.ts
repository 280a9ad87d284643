import { McpServer } from '@modelcontextprotocol/server';
import type { jsonSchemaValidator, JsonSchemaType } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describe, expect, it } from 'vitest';

import { createMrtr, elicit } from '../../shim/index.js';
import { assertContentMatches, commonValidator } from '../../shim/handler/content.js';
import { connect, textOf } from './clients.js';
import { KEY } from './scripted-server.js';

/** A validator that counts the forms it compiles. */
function counting(): { validator: jsonSchemaValidator; forms: JsonSchemaType[] } {
    const real = new AjvJsonSchemaValidator();
    const forms: JsonSchemaType[] = [];
    return {
        forms,
        validator: {
            getValidator: <T>(schema: JsonSchemaType) => {
                forms.push(schema);
                return real.getValidator<T>(schema);
            }
        }
    };
}

const form = (property: string): JsonSchemaType => ({
    type: 'object',
    properties: { [property]: { type: 'string' } },
    required: [property]
});
const accept = (content: Record<string, string>) => ({ action: 'accept' as const, content });

describe('the validator of forms', () => {
    it('is the one that the operator of the server has chosen', async () => {
        const { validator, forms } = counting();
        const { attach, resumable } = createMrtr({ key: KEY });
        const { client, close } = await connect(() => {
            const server = attach(
                new McpServer({ name: 'chosen', version: '1.0.0' }, { jsonSchemaValidator: validator })
            );
            server.registerTool(
                'ask',
                {},
                resumable(async ctx => {
                    const { content } = await ctx.need(
                        'a',
                        elicit({
                            message: 'a?',
                            requestedSchema: { type: 'object', properties: { answer: { type: 'string' } } }
                        })
                    );
                    return { content: [{ type: 'text', text: String(content?.['answer']) }] };
                })
            );
            return server;
        }, 'http');
        for (let call = 0; call < 2; call++) expect(textOf(await client.callTool({ name: 'ask' }))).toBe('to a?');
        // The form is the same, and is compiled once for all requests.
        expect(forms).toHaveLength(1);
        await close();
    });

    it('is one for all servers that have none of their own, until it has compiled many forms', () => {
        const [first, second, third] = [counting(), counting(), counting()];
        const start = commonValidator(first.validator);
        for (let number = 0; commonValidator(second.validator) === start; number++) {
            if (number > 1000) throw new Error('It is never replaced, and keeps all forms that it has compiled');
            assertContentMatches(accept({ [`p${number}`]: 'x' }), form(`p${number}`), start);
        }
        expect(commonValidator(third.validator)).toBe(second.validator);
        expect(second.forms).toHaveLength(0);
    });

    it('does not take a form for another one with the same $id', () => {
        const { validator } = counting();
        assertContentMatches(accept({ a: 'x' }), { ...form('a'), $id: 'urn:form' }, validator);
        assertContentMatches(accept({ b: 'x' }), { ...form('b'), $id: 'urn:form' }, validator);
        expect(() => assertContentMatches(accept({ a: 'x' }), { ...form('b'), $id: 'urn:form' }, validator)).toThrow(
            /does not match requested schema/
        );
    });
});
