import { askEditsOf } from '../../edits/askEdits.js';
import type { Edit } from '../../edits/edit.js';
import type { Plan, Rule } from '../rule.js';

const ID = 'send-request';

/** request, sendRequest and mcpReq.send with a server-to-client method send it to the client, which a server cannot do on 2026-07-28. */
export const sendRequest: Rule = {
    meta: {
        id: ID,
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
    plan: plan => [...askEditsOf(plan, ID), ...leftEdits(plan)]
};

/** An ask that is left goes on working for 2025-era clients: under the name that SDK v2 has for it. */
function leftEdits({ left, group }: Plan): Edit[] {
    return left.flatMap(({ file, sendName }) =>
        sendName === undefined ? [] : [{ file, ...sendName, text: 'mcpReq.send', rule: ID, group }]
    );
}
