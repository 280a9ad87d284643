import type { LintRule } from '../lintRule.js';

export const answerIgnoredLint: LintRule = {
    id: 'answer-ignored',
    category: 're-entry',
    level: 'warning',
    summary: 'Nobody looks whether the person agreed.',
    why: 'A form can be declined and cancelled. Code that never reads `action`, nor whether there is content, does what it was told not to do.',
    instead: "Look first: `if (answer.action !== 'accept') return …`.",
    messages: {
        action: 'the answer of `{api}` is used without a look at its `action`: a decline goes on like a yes.',
        dropped: 'the answer of `{api}` is not looked at: a decline goes on like a yes.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    await ctx.need('confirm', elicit({ message: 'Delete everything?', requestedSchema: FORM }));
    return text('deleted');
}));`,
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answer = await ctx.need('name', elicit({ message: 'Which order?', requestedSchema: FORM }));
    return text(String(answer.content!.name));
}));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answer = await ctx.need('confirm', elicit({ message: 'Delete everything?', requestedSchema: FORM }));
    if (!answer.content?.confirm) return text('kept');
    return text('deleted');
}));`
    ]
};
