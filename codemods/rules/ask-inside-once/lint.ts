import type { LintRule } from '../lintRule.js';

export const askInsideOnceLint: LintRule = {
    id: 'ask-inside-once',
    category: 're-entry',
    level: 'error',
    summary: 'The client is asked in the function that `ctx.once` runs.',
    why: 'What `ctx.once` runs is recorded when it is done, and it is never done while a question waits. The runtime refuses the question on both eras.',
    instead: 'Ask first, and give the answer to what runs once.',
    messages: {
        inside: '`{api}` asks inside `{once}`, where the runtime refuses it. Ask first, and use the answer there.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const done = await ctx.once('refund', async () => {
        const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
        return answer.action;
    });
    return text(done);
}));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    const done = await ctx.once('refund', async () => lookUp(answer.action));
    return text(done);
}));`
    ]
};
