import type { LintRule } from '../lintRule.js';

export const rootsListChangedLint: LintRule = {
    id: 'roots-list-changed',
    category: 'deprecated',
    level: 'warning',
    summary: 'A handler of `notifications/roots/list_changed` is never called on revision 2026-07-28.',
    why: 'Roots that were fetched once and kept would never be refreshed: nobody says that they changed.',
    instead:
        "Ask for the roots in the calls that need them: `await ctx.need('roots', listRoots())`. Keep the handler for 2025-era clients if you serve them, and suppress the finding with that reason.",
    messages: {
        handler: 'this notification does not come on revision 2026-07-28; roots that are kept would get stale.'
    },
    incorrect: ["server.server.setNotificationHandler('notifications/roots/list_changed', () => { roots.clear(); });"],
    correct: ["server.server.setNotificationHandler('notifications/cancelled', () => { roots.clear(); });"]
};
