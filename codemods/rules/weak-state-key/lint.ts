import type { LintRule } from '../lintRule.js';

export const weakStateKeyLint: LintRule = {
    id: 'weak-state-key',
    category: 'state',
    level: 'error',
    summary: 'The key that seals state is written in the code, or shorter than 32 bytes.',
    why: 'Whoever knows the key can make answers that nobody gave. A key in the code is known to everybody who can read it, and a short one can be guessed.',
    instead:
        'Take at least 32 random bytes from the environment, the same on every instance: `createMrtr({ key: process.env.MCP_STATE_KEY })`. Without one a random key is made at start.',
    messages: {
        short: 'the key that seals state is written in the code, and has {bytes} bytes of the 32 that it needs.',
        literal: 'the key that seals state is written in the code; take it from the environment.'
    },
    incorrect: [
        "export const mrtr = createMrtr({ key: process.env.MCP_STATE_KEY ?? 'development' });",
        "export const mrtr = createMrtr({ key: '0123456789abcdef0123456789abcdef' });"
    ],
    correct: ['export const mrtr = createMrtr({ key: process.env.MCP_STATE_KEY });']
};
