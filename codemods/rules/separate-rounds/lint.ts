import type { LintRule } from '../lintRule.js';

export const separateRoundsLint: LintRule = {
    id: 'separate-rounds',
    category: 're-entry',
    level: 'note',
    summary: 'Two questions follow each other, and the second does not need the first answer.',
    why: 'They take two rounds, and the person is asked twice in a row, where one would do.',
    instead:
        'Ask side by side: `const [a, b] = await Promise.all([ctx.need(…), ctx.need(…)])`, or put both into one form.',
    messages: {
        together: '`{api}` does not need the answer before it; asked side by side both go out in one round.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const size = await ctx.need('size', elicit({ message: 'Which size?', requestedSchema: FORM }));
    const colour = await ctx.need('colour', elicit({ message: 'Which colour?', requestedSchema: FORM }));
    return text(size.action + colour.action);
}));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const size = await ctx.need('size', elicit({ message: 'Which size?', requestedSchema: FORM }));
    const colour = await ctx.need('colour', elicit({ message: 'Which colour, in ' + size.action + '?', requestedSchema: FORM }));
    return text(colour.action);
}));`
    ]
};
