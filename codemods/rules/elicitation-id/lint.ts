import type { LintRule } from '../lintRule.js';

export const elicitationIdLint: LintRule = {
    id: 'elicitation-id',
    category: 'deprecated',
    level: 'warning',
    summary: '`elicitationId` is not part of a page on revision 2026-07-28.',
    why: 'There is no completion notification that could name it. An id that ties the page to the call has to come back with the call.',
    instead:
        "Leave it out. Where your own page needs an id: `const id = ctx.onceSync('page-id', () => randomUUID())`, which is kept in the sealed state.",
    messages: {
        id: '`elicitationId` is not part of a page on revision 2026-07-28.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    const page = await server.server.elicitInput({ mode: 'url', message: 'Sign in', url: 'https://shop.example/login', elicitationId: 'e1' });
    return text(page.action);
});`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const id = ctx.onceSync('page-id', () => randomUUID());
    const page = await ctx.need('page', elicitUrl({ message: 'Sign in', url: 'https://shop.example/login?id=' + id }));
    return text(page.action);
}));`
    ]
};
