import type { LintRule } from '../lintRule.js';

export const frameworkAskLint: LintRule = {
    id: 'framework-ask',
    category: 'deprecated',
    level: 'note',
    summary: 'A framework asks the client in a way of its own.',
    why: 'Whether that works on revision 2026-07-28 is up to the framework, which owns the context of the call; code from outside cannot change it.',
    instead: 'Move to a release of the framework that speaks 2026-07-28. The message says what it offers.',
    messages: {
        framework: '`{api}` is an ask of {framework}: {offers}.'
    },
    incorrect: [
        `import { FastMCP } from 'fastmcp';
const app = new FastMCP({ name: 'shop', version: '1.0.0' });
app.addTool({ name: 'refund', execute: async (args, { session }) => session.requestSampling({ messages: [], maxTokens: 10 }) });`
    ],
    correct: [
        `import { FastMCP } from 'fastmcp';
const app = new FastMCP({ name: 'shop', version: '1.0.0' });
app.addTool({ name: 'refund', execute: async () => 'done' });`
    ]
};
