import type { LintRule } from '../lintRule.js';

export const completionNotifierLint: LintRule = {
    id: 'completion-notifier',
    category: 'deprecated',
    level: 'error',
    summary:
        '`createElicitationCompletionNotifier` announces that a page is done; revision 2026-07-28 has no such notification.',
    why: 'Nobody hears it: the client sends the call again by itself when the user is done with the page.',
    instead: 'Remove the notifier and its calls. `mcp-mrtr migrate` does, where nothing else depends on them.',
    messages: {
        call: '`{api}` makes a notification that revision 2026-07-28 does not have.',
        byName: '`{api}` makes a notification that revision 2026-07-28 does not have.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    const done = server.server.createElicitationCompletionNotifier('e1');
    await done();
    return text('done');
});`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    await ctx.need('page', elicitUrl({ message: 'Sign in', url: 'https://shop.example/login' }));
    return text('done');
}));`
    ]
};
