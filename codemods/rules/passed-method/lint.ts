import type { LintRule } from '../lintRule.js';

export const passedMethodLint: LintRule = {
    id: 'passed-method',
    category: 'deprecated',
    level: 'error',
    summary: 'A method that asks the client is bound, or handed on as a value.',
    why: 'What it sends, and when, is decided where it is called, and it fails there on revision 2026-07-28.',
    instead:
        'Hand on the context of the request instead, and ask with `ctx.need` where the method was called. `mcp-mrtr migrate` does that where it sees all the calls.',
    messages: {
        tested: '`{api}` is only looked for here; a context of SDK v2 does not have it, so that the answer is "no" from then on.',
        mention: '`{api}` may ask the client; what is done with it cannot be read from the code.',
        call: '`{api}` is handed on as a value; where it is called it sends a request, which revision 2026-07-28 does not allow.',
        byName: '`{api}` is handed on as a value; where it is called it sends a request, which revision 2026-07-28 does not allow.'
    },
    incorrect: [
        `const ask = server.server.elicitInput.bind(server.server);
server.registerTool('refund', CONFIG, async (args, ctx) => {
    const answer = await ask({ message: 'Refund?', requestedSchema: FORM });
    return text(answer.action);
});`
    ],
    correct: [
        `const confirm = (ctx: NeedContext) => ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answer = await confirm(ctx);
    return text(answer.action);
}));`
    ]
};
