import type { LintRule } from '../lintRule.js';

export const askHoldingLockLint: LintRule = {
    id: 'ask-holding-lock',
    category: 're-entry',
    level: 'warning',
    summary: 'A lock, a transaction or something that a `finally` gives back is held while the client is asked.',
    why: 'A person may think for minutes, and then not answer. An abandoned handler does not run its `finally`: what it holds stays held.',
    instead:
        "Ask before it is taken, or after it is given back. Or let the handler wait in memory (`mode: 'park'`), which runs its `finally` at the end.",
    messages: {
        lock: '`{api}` asks inside `{name}`, which is held while the client thinks, and never given back if nobody answers.',
        finally:
            '`{api}` asks inside a `try` whose `finally` (line {line}) has something to do: a handler that is abandoned here does not run it.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    await mutex.runExclusive(async () => {
        const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
        return answer.action;
    });
    return text('done');
}));`,
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const file = await open('orders.log');
    try {
        const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
        return text(answer.action);
    } finally {
        await file.close();
    }
}));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    await mutex.runExclusive(async () => lookUp(args.order));
    return text(answer.action);
}));`
    ]
};
