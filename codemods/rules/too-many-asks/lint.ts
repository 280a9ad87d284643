import type { LintRule } from '../lintRule.js';

export const tooManyAsksLint: LintRule = {
    id: 'too-many-asks',
    category: 're-entry',
    level: 'warning',
    summary: 'A handler asks more than eight times in a row.',
    why: "Each question that waits for the answer before it is a round of its own. The SDK's client gives up after ten rounds, shims for 2025-era clients after eight.",
    instead: 'Ask for more in one form, and ask side by side what does not depend on another answer.',
    messages: {
        rounds: '`{handler}` may ask {count} times in a row; clients give up after 10 rounds, some after 8.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const a = await ctx.need('a', elicit({ message: 'a?', requestedSchema: FORM }));
    const b = await ctx.need('b', elicit({ message: a.action, requestedSchema: FORM }));
    const c = await ctx.need('c', elicit({ message: b.action, requestedSchema: FORM }));
    const d = await ctx.need('d', elicit({ message: c.action, requestedSchema: FORM }));
    const e = await ctx.need('e', elicit({ message: d.action, requestedSchema: FORM }));
    const f = await ctx.need('f', elicit({ message: e.action, requestedSchema: FORM }));
    const g = await ctx.need('g', elicit({ message: f.action, requestedSchema: FORM }));
    const h = await ctx.need('h', elicit({ message: g.action, requestedSchema: FORM }));
    const i = await ctx.need('i', elicit({ message: h.action, requestedSchema: FORM }));
    return text(i.action);
}));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const a = await ctx.need('a', elicit({ message: 'a?', requestedSchema: FORM }));
    const b = await ctx.need('b', elicit({ message: a.action, requestedSchema: FORM }));
    return text(b.action);
}));`
    ]
};
