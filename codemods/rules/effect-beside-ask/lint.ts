import type { LintRule } from '../lintRule.js';

export const effectBesideAskLint: LintRule = {
    id: 'effect-beside-ask',
    category: 're-entry',
    level: 'warning',
    summary: 'Something is written or sent side by side with the question.',
    why: 'The handler is abandoned while the write is on its way, and starts it again in the next round.',
    instead: 'Write after the answer, or in `ctx.once`, which the round waits for.',
    messages: {
        beside: '{what} side by side with `{api}`: it is started again in every round. Await the answer first, or run it in ctx.once.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const [answer] = await Promise.all([
        ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM })),
        appendFile('orders.log', args.order)
    ]);
    return text(answer.action);
}));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const [answer] = await Promise.all([
        ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM })),
        ctx.once('log', () => appendFile('orders.log', args.order))
    ]);
    return text(answer.action);
}));`
    ]
};
