import type { LintRule } from '../lintRule.js';

export const sendRequestLint: LintRule = {
    id: 'send-request',
    category: 'deprecated',
    level: 'error',
    summary:
        'A request that is written out (`sendRequest`, `ctx.mcpReq.send`, `server.request`) goes to the client, which a server cannot do on revision 2026-07-28.',
    why: 'On revision 2026-07-28 a server has no channel on which it could send a request. The call fails at that place, and everything above it has happened by then. The method may be a literal, a constant or a member of an enum; all of them are found.',
    instead:
        'Run `mcp-mrtr migrate`: it rewrites the call, hands the context of the request on to it and wraps the handlers that lead there. By hand: `await ctx.need(key, elicit({ … }))`, `sample({ … })` or `listRoots()`.',
    messages: {
        call: '`{api}` sends `{method}` to the client, which revision 2026-07-28 does not allow.',
        byName: '`{api}` looks as if it sent `{method}` to the client (its type is not known), which revision 2026-07-28 does not allow.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    const answer = await ctx.mcpReq.send({ method: 'elicitation/create', params: { message: 'Refund?', requestedSchema: FORM } });
    return text(answer.action);
});`,
        `const METHOD = 'roots/list';
server.registerTool('refund', CONFIG, async (args, ctx) => {
    const found = await ctx.mcpReq.send({ method: METHOD });
    return text(JSON.stringify(found));
});`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
    return text('done');
});`
    ]
};
