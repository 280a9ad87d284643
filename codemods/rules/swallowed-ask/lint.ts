import type { LintRule } from '../lintRule.js';

export const swallowedAskLint: LintRule = {
    id: 'swallowed-ask',
    category: 're-entry',
    level: 'warning',
    summary: 'A `catch` takes the failure of a question for an answer.',
    why: 'A push call always fails on revision 2026-07-28. Where a `catch` goes on as if the client had answered, what was to be confirmed happens without anybody being asked, or never, and nothing says why.',
    instead:
        'Say in the result what went wrong, or throw it on. With `ctx.need` the failure is only that of a client that cannot be asked; refuse then what must not happen unasked.',
    messages: {
        push: '`{api}` always fails on revision 2026-07-28, and the `catch` around it makes that another way to go on: it becomes the only one.',
        refused: 'the `catch` around `{api}` goes on when the client cannot be asked.',
        unwound: 'the `catch` around `{api}` goes on when the handler is unwound, as if there had been an answer.'
    },
    incorrect: [
        `async function confirm() {
    try {
        const answer = await server.server.elicitInput({ message: 'Refund?', requestedSchema: FORM });
        return answer.action === 'accept';
    } catch {
        return true;
    }
}
server.registerTool('refund', CONFIG, async (args, ctx) => {
    return text((await confirm()) ? 'refunded' : 'kept');
});`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    try {
        const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
        return text(answer.action);
    } catch (error) {
        return { content: [], isError: true, _meta: { why: String(error) } };
    }
}));`
    ]
};
