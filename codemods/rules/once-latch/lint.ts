import type { LintRule } from '../lintRule.js';

export const onceLatchLint: LintRule = {
    id: 'once-latch',
    category: 're-entry',
    level: 'warning',
    summary: 'A flag that outlives the call says "asked already" before the question is answered.',
    why: 'The flag is set in the first round, and the second one, which brings the answer, goes past the question: the answer is never read, and the call fails or goes on without it.',
    instead: 'Set the flag after the answer. A question that is asked once per call needs none: `ctx.need` remembers.',
    messages: {
        latch: '`{name}` is set before the question is answered: the round that brings the answer goes past the question.'
    },
    incorrect: [
        `let asked = false;
server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    if (!asked) {
        asked = true;
        const answer = await ctx.need('terms', elicit({ message: 'Do you accept the terms?', requestedSchema: FORM }));
        if (answer.action !== 'accept') return text('refused');
    }
    return text('done');
}));`
    ],
    correct: [
        `let asked = false;
server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    if (!asked) {
        const answer = await ctx.need('terms', elicit({ message: 'Do you accept the terms?', requestedSchema: FORM }));
        if (answer.action !== 'accept') return text('refused');
        asked = true;
    }
    return text('done');
}));`
    ]
};
