import { askEditsOf } from '../../edits/askEdits.js';
import type { Rule } from '../rule.js';

/** listRoots sends roots/list to the client, which a server cannot do on 2026-07-28. */
export const listRoots: Rule = {
    meta: {
        id: 'list-roots',
        summary: '`listRoots` sends `roots/list` to the client, which a server cannot do on 2026-07-28.',
        messages: {
            todo: 'ask for the roots through the context of the request: await ctx.need(key, listRoots()) inside resumable(…)'
        },
        samples: [
            {
                before: 'const { roots } = await server.server.listRoots();',
                after: "const { roots } = await ctx.need('roots', listRoots());"
            }
        ]
    },
    plan: plan => askEditsOf(plan, 'list-roots')
};
