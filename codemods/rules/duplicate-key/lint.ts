import type { LintRule } from '../lintRule.js';

export const duplicateKeyLint: LintRule = {
    id: 'duplicate-key',
    category: 're-entry',
    level: 'warning',
    summary: 'Two questions of one run have the same key.',
    why: 'The runtime numbers them in the order in which they come, so a branch more or less between two rounds gives an answer to the other question. It notices, and asks again; a person is asked twice.',
    instead: 'Give each question a key of its own.',
    messages: {
        twice: 'the key `{key}` is that of another question of the same run; give each question its own.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const first = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    if (first.action !== 'accept') return text('kept');
    const second = await ctx.need('confirm', elicit({ message: 'Tell the customer?', requestedSchema: FORM }));
    return text(second.action);
}));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const first = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    if (first.action !== 'accept') return text('kept');
    const second = await ctx.need('tell', elicit({ message: 'Tell the customer?', requestedSchema: FORM }));
    return text(second.action);
}));`,
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    if (args.order === '') {
        const which = await ctx.need('which', elicit({ message: 'Which order?', requestedSchema: FORM }));
        return text(which.action);
    }
    const which = await ctx.need('which', elicit({ message: 'Which part of it?', requestedSchema: FORM }));
    return text(which.action);
}));`
    ]
};
