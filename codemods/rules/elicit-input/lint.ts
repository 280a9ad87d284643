import type { LintRule } from '../lintRule.js';

export const elicitInputLint: LintRule = {
    id: 'elicit-input',
    category: 'deprecated',
    level: 'error',
    summary: '`elicitInput` sends a request to the client, which a server cannot do on revision 2026-07-28.',
    why: 'On revision 2026-07-28 a server has no channel on which it could send a request. The call fails at that place, and everything above it has happened by then. In SDK v2 the failure is an `isError` result, which a model may read as an answer.',
    instead:
        'Run `mcp-mrtr migrate`: it rewrites the call, hands the context of the request on to it and wraps the handlers that lead there. By hand: `await ctx.need(key, elicit({ … }))` in a handler that is wrapped in `resumable(…)`, or `inputRequired(…)` of SDK v2.',
    messages: {
        call: '`{api}` sends a request to the client, which revision 2026-07-28 does not allow.',
        byName: '`{api}` looks like a request to the client (its type is not known), which revision 2026-07-28 does not allow.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    const answer = await server.server.elicitInput({ message: 'Refund?', requestedSchema: FORM });
    return text(answer.action);
});`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    return text(answer.action);
}));`
    ]
};
