import { ESLint as ESLint10 } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import plugin from '../../codemods/eslint.js';
import { lintRules } from '../../codemods/rules/lintRules.js';
import { suiteProject } from '../temporaryProject.js';

const SERVER = `import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';

const server = new McpServer({ name: 'shop', version: '1.0.0' });
server.registerTool('refund', {}, async () => {
    appendFileSync('orders.log', 'refund');
    const answer = await server.server.elicitInput({ message: 'Refund?', requestedSchema: { type: 'object', properties: {} } });
    return { content: [{ type: 'text', text: answer.action }] };
});
server.registerTool('greet', {}, async () => {
    // mcp-mrtr-ignore elicit-input only 2025-era clients call it
    const answer = await server.server.elicitInput({ message: 'Name?', requestedSchema: { type: 'object', properties: {} } });
    return { content: [{ type: 'text', text: answer.action }] };
});
`;

const { ESLint: ESLint9 } = (await import('eslint-9')) as { ESLint: typeof ESLint10 };

describe('mcp-mrtr/eslint', { timeout: 120_000 }, () => {
    const folder = suiteProject({
        'package.json': '{ "name": "shop", "type": "module" }',
        'src/server.ts': SERVER,
        'src/add.ts': 'export const add = (a: number, b: number): number => a + b;\n'
    });

    it.each([
        ['9', ESLint9],
        ['10', ESLint10]
    ])('reports in ESLint %s what check finds in the file', async (major, ESLint) => {
        expect(ESLint.version.startsWith(`${major}.`)).toBe(true);
        const eslint = new ESLint({
            cwd: folder,
            overrideConfigFile: true,
            overrideConfig: [
                { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } },
                { files: ['**/*.ts'], ...plugin.configs.recommended }
            ]
        } as ESLint10.Options);
        const results = await eslint.lintFiles(['src/**/*.ts']);
        const messages = results.flatMap(result =>
            result.messages.map(({ ruleId, line, column, endLine, severity }) => [
                ruleId,
                line,
                column,
                endLine,
                severity
            ])
        );
        expect(messages).toEqual([
            ['mcp-mrtr/effect-before-ask', 6, 5, 6, 1],
            ['mcp-mrtr/elicit-input', 7, 26, 7, 2]
        ]);
    });

    it('has every rule, and recommends those that are more than a note', () => {
        expect(Object.keys(plugin.rules)).toEqual(lintRules.map(({ id }) => id));
        expect(plugin.configs.recommended.rules['mcp-mrtr/ask-in-loop']).toBeUndefined();
        expect(plugin.configs.recommended.rules['mcp-mrtr/elicit-input']).toBe('error');
    });
});
