import type { LintRule } from '../lintRule.js';

export const askInClosedMethodLint: LintRule = {
    id: 'ask-in-closed-method',
    category: 'no-carrier',
    level: 'error',
    summary: 'The client is asked in a method that revision 2026-07-28 does not let answer with a question.',
    why: 'Only `tools/call`, `prompts/get` and `resources/read` may be answered with `input_required`. Lists, completions and subscriptions may not.',
    instead:
        'Ask in the call that needs the answer. A list that depends on an answer shows everything, and the call refuses.',
    messages: {
        closed: '`{api}` asks the client in `{method}`, which cannot be answered with a question on revision 2026-07-28.'
    },
    incorrect: [
        `server.server.setRequestHandler('tools/list', async () => {
    const answer = await server.server.elicitInput({ message: 'Show admin tools?', requestedSchema: FORM });
    return { tools: [], _meta: { all: answer.action } };
});`
    ],
    correct: ["server.server.setRequestHandler('tools/list', async () => ({ tools: [] }));"]
};
