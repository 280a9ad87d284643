import type { LintRule } from '../lintRule.js';

export const volatileQuestionLint: LintRule = {
    id: 'volatile-question',
    category: 're-entry',
    level: 'warning',
    summary: 'A time, a random value or an id made anew is part of the question, or decides whether it is asked.',
    why: 'An answer is given only to the question that was asked. One that is another in each round is asked again and again, until the call ends with an error.',
    instead: "Make the value once per call: `const id = ctx.onceSync('id', () => randomUUID())`.",
    messages: {
        question:
            '{what} and is part of the question of `{api}`, which must be the same in every round. Make it in ctx.onceSync.',
        branch: '{what} and decides whether `{api}` asks, which must be the same in every round. Make it in ctx.onceSync.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const code = randomUUID();
    const answer = await ctx.need('confirm', elicit({ message: 'Refund under ' + code + '?', requestedSchema: FORM }));
    return text(answer.action);
}));`,
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const sample = Math.random();
    if (sample < 0.1) {
        const answer = await ctx.need('survey', elicit({ message: 'How was it?', requestedSchema: FORM }));
        return text(answer.action);
    }
    return text('done');
}));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const code = ctx.onceSync('code', () => randomUUID());
    const answer = await ctx.need('confirm', elicit({ message: 'Refund under ' + code + '?', requestedSchema: FORM }));
    return text(answer.action);
}));`,
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    console.error(new Date().toISOString());
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    return text(answer.action + Date.now());
}));`
    ]
};
