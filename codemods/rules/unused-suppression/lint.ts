import type { LintRule } from '../lintRule.js';

export const unusedSuppressionLint: LintRule = {
    id: 'unused-suppression',
    category: 'hygiene',
    level: 'warning',
    summary: 'A comment `mcp-mrtr-ignore` that suppresses nothing, or nothing that is known.',
    why: 'A suppression that is not needed any more would hide the next finding at that place, and nobody would know why it was allowed.',
    instead:
        'Remove it (`mcp-mrtr check --fix` does), or correct the name of the rule. `// mcp-mrtr-ignore <rule> <reason>` stands on the line of the finding, or on the line above its statement.',
    messages: {
        unused: 'this comment suppresses nothing; remove it.',
        noReason: 'say why: `mcp-mrtr-ignore {rule} <reason>`.'
    },
    incorrect: [
        `// mcp-mrtr-ignore effect-before-ask the log may have the line twice
server.registerTool('refund', CONFIG, async () => text('done'));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    // mcp-mrtr-ignore effect-before-ask the log may have the line twice
    await appendFile('orders.log', args.order);
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    return text(answer.action);
}));`
    ]
};
