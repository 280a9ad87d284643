import type { Rule } from '../rule.js';

/**
 * Roots that are fetched outside of requests. The edits are made before the asks are looked at, on the text that
 * `codemods/project/lifecycle` reads, so that a request leads to the ask when the plan is made.
 */
export const rootsLifecycle: Rule = {
    meta: {
        id: 'roots-lifecycle',
        summary:
            'Roots fetched in `oninitialized` and on `roots/list_changed`: 2026-07-28 has neither, so the handlers that read them ask.',
        messages: {},
        samples: [
            {
                before: 'server.server.oninitialized = () => void refresh();',
                after: "server.registerTool('list', {}, resumable(async ctx => { await refresh(ctx); … }));"
            }
        ]
    },
    plan: () => []
};
