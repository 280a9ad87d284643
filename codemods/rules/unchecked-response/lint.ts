import type { LintRule } from '../lintRule.js';

export const uncheckedResponseLint: LintRule = {
    id: 'unchecked-response',
    category: 'state',
    level: 'warning',
    summary: 'The content of an answer is read from `inputResponses` as the client sent it.',
    why: 'The client need not have followed the form: a field may be missing, of another type, or one that nobody asked for.',
    instead:
        "Read it with the schema of the form: `acceptedContent(ctx.mcpReq.inputResponses, 'confirm', schema)`. `ctx.need` does so by itself.",
    messages: {
        content:
            'the content of an answer is taken as the client sent it; read it with `acceptedContent(responses, key, schema)`.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    const answers = ctx.mcpReq.inputResponses as any;
    return text('refunded ' + answers.confirm.content.amount);
});`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    const accepted = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', z.object({ amount: z.number() }));
    return text('refunded ' + (accepted?.amount ?? 0));
});`
    ]
};
