import type { LintRule } from '../lintRule.js';

export const effectBeforeAskLint: LintRule = {
    id: 'effect-before-ask',
    category: 're-entry',
    level: 'warning',
    summary: 'Something is written, sent or started before the client is asked.',
    why: 'The handler runs again from the top when the answer comes, once per round: the write above the question happens again each time. In code that still pushes, it is what the migration has to deal with.',
    instead:
        "Wrap it: `const order = await ctx.once('order', () => createOrder(args))` runs once per call, however many rounds there are. Or ask first. Or let the handler wait in memory: `resumable({ mode: 'park' }, …)`. Where the effect may be repeated safely, suppress the finding and say why.",
    messages: {
        before: '{what} before `{api}` asks: it happens again in every round. Run it in ctx.once, or ask first.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    await appendFile('orders.log', args.order);
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    return text(answer.action);
}));`,
        `async function hold(order: string) {
    await fetch('https://shop.example/holds', { method: 'POST', body: order });
}
server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    await hold(args.order);
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    return text(answer.action);
}));`,
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    await appendFile('orders.log', args.order);
    const confirmed = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', z.object({ confirm: z.boolean() }));
    if (!confirmed) return inputRequired({ inputRequests: { confirm: inputRequired.elicit({ message: 'Refund?', requestedSchema: FORM }) } });
    return text('done');
});`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    await ctx.once('log', () => appendFile('orders.log', args.order));
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    return text(answer.action);
}));`,
        `server.registerTool('refund', CONFIG, resumable({ mode: 'park' }, async (args, ctx) => {
    await appendFile('orders.log', args.order);
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    return text(answer.action);
}));`,
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    if (answer.action === 'accept') await appendFile('orders.log', args.order);
    return text(answer.action);
}));`,
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    const confirmed = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', z.object({ confirm: z.boolean() }));
    if (!confirmed) {
        await appendFile('orders.log', args.order);
        return inputRequired({ inputRequests: { confirm: inputRequired.elicit({ message: 'Refund?', requestedSchema: FORM }) } });
    }
    return text('done');
});`
    ]
};
