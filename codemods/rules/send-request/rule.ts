import { askEditsOf } from '../../edits/askEdits.js';
import type { Rule } from '../rule.js';

/** request, sendRequest and mcpReq.send with a server-to-client method send it to the client, which a server cannot do on 2026-07-28. */
export const sendRequest: Rule = {
    meta: {
        id: 'send-request',
        summary:
            '`request`, `sendRequest` and `mcpReq.send` with a server-to-client method send it to the client, which a server cannot do on 2026-07-28.',
        messages: {
            todo: 'ask through the context of the request: await ctx.need(key, elicit({ … }) or sample({ … }) or listRoots()) inside resumable(…)'
        },
        samples: [
            {
                before: "const consent = await extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema);",
                after: "const consent = await ctx.need('consent', elicit(params));"
            }
        ]
    },
    plan: plan => askEditsOf(plan, 'send-request')
};
