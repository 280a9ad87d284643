import type { LintRule } from '../lintRule.js';

export const timerAroundAskLint: LintRule = {
    id: 'timer-around-ask',
    category: 're-entry',
    level: 'warning',
    summary: 'A timer is started before the question, or the question has a time limit.',
    why: 'A handler that is abandoned at the question leaves its timers behind, and starts another in each round. A limit on the answer is measured anew in every round, and never by the time that the person has.',
    instead: 'Bound the time to answer with `ttlSeconds` of `createMrtr`, and start timers after the answer.',
    messages: {
        timer: '{what} before `{api}` asks: each round starts another one. Start it after the answer.',
        race: '`{api}` is raced against something else, anew in every round; bound the time to answer with `ttlSeconds`.',
        limit: '`{name}` gives up waiting for `{api}`, measured anew in every round; bound the time to answer with `ttlSeconds`.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const beat = setInterval(() => lookUp('still there'), 1000);
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    clearInterval(beat);
    return text(answer.action);
}));`,
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const limit = new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), 30_000));
    const answer = await Promise.race([ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM })), limit]);
    return text(answer?.action ?? 'too late');
}));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answer = await ctx.need('confirm', elicit({ message: 'Refund?', requestedSchema: FORM }));
    const beat = setInterval(() => lookUp('still there'), 1000);
    clearInterval(beat);
    return text(answer.action);
}));`
    ]
};
