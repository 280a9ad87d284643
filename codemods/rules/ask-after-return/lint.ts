import type { LintRule } from '../lintRule.js';

export const askAfterReturnLint: LintRule = {
    id: 'ask-after-return',
    category: 'no-carrier',
    level: 'error',
    summary: 'Nobody waits for the ask, so the handler is done before the answer is there.',
    why: 'The result goes out, and with it the only request that could have carried the question. On revision 2026-07-28 the question is never asked.',
    instead: 'Await it. Work that goes on after the result needs a tool of its own that the client calls later.',
    messages: {
        direct: 'nobody waits for `{api}`: the handler is done before it is answered, and with it the request that could carry the question.',
        through:
            'nobody waits for `{name}`, which asks the client (`{api}`): the handler is done before it is answered.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    void server.server.elicitInput({ message: 'How was it?', requestedSchema: FORM }).catch(() => undefined);
    return text('done');
});`,
        `async function survey() {
    const answer = await server.server.elicitInput({ message: 'How was it?', requestedSchema: FORM });
    console.error(answer.action);
}
server.registerTool('refund', CONFIG, async (args, ctx) => {
    survey().catch(() => undefined);
    return text('done');
});`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answer = await ctx.need('survey', elicit({ message: 'How was it?', requestedSchema: FORM }));
    return text(answer.action);
}));`
    ]
};
