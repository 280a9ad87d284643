import { askEditsOf } from '../../edits/askEdits.js';
import type { Rule } from '../rule.js';

/** createMessage and requestSampling send sampling/createMessage to the client, which a server cannot do on 2026-07-28. */
export const createMessage: Rule = {
    meta: {
        id: 'create-message',
        summary:
            '`createMessage` and `requestSampling` send `sampling/createMessage` to the client, which a server cannot do on 2026-07-28.',
        messages: {
            todo: 'sample through the context of the request: await ctx.need(key, sample({ … })) inside resumable(…)'
        },
        samples: [
            {
                before: 'const summary = await server.server.createMessage({ messages, maxTokens: 100 });',
                after: "const summary = await ctx.need('summary', sample({ messages, maxTokens: 100 }));"
            }
        ]
    },
    plan: plan => askEditsOf(plan, 'create-message')
};
