import { askEditsOf } from '../../edits/askEdits.js';
import type { Rule } from '../rule.js';

/** elicitInput sends elicitation/create to the client, which a server cannot do on 2026-07-28. */
export const elicitInput: Rule = {
    meta: {
        id: 'elicit-input',
        summary: '`elicitInput` sends `elicitation/create` to the client, which a server cannot do on 2026-07-28.',
        messages: {
            todo: 'ask through the context of the request: await ctx.need(key, elicit({ … })) inside resumable(…)'
        },
        samples: [
            {
                before: 'const verdict = await server.server.elicitInput({ message, requestedSchema });',
                after: "const verdict = await ctx.need('verdict', elicit({ message, requestedSchema }));"
            }
        ]
    },
    plan: plan => askEditsOf(plan, 'elicit-input')
};
