import type { LintRule } from '../lintRule.js';

export const stateBeforeAskLint: LintRule = {
    id: 'state-before-ask',
    category: 're-entry',
    level: 'warning',
    summary: 'A variable, member or collection that outlives the call is changed before the client is asked.',
    why: 'Counters count once per round, lists get an entry per round, and a balance is taken off again.',
    instead: 'Change it after the answer, or in `ctx.once`.',
    messages: {
        before: '{what}, and changes again in every round, because `{api}` asks below it. Change it after the answer, or in ctx.once.'
    },
    incorrect: [
        `let serial = 0;
server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    serial += 1;
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    return text(answer.action);
}));`,
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    queue.push(args.order);
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    return text(answer.action);
}));`
    ],
    correct: [
        `let serial = 0;
server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const number = ctx.onceSync('number', () => ++serial);
    const answer = await ctx.need('confirm', elicit({ message: 'Refund ' + number + '?', requestedSchema: FORM }));
    return text(answer.action);
}));`,
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const lines: string[] = [];
    lines.push(args.order);
    const answer = await ctx.need('confirm', elicit({ message: lines.join(), requestedSchema: FORM }));
    return text(answer.action);
}));`
    ]
};
