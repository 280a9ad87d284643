import type { Edit } from '../../edits/edit.js';
import type { Rule } from '../rule.js';

const ID = 'client-capabilities';

/** Reads the capabilities of the request instead of those of a handshake that 2026-07-28 does not have. */
export const clientCapabilities: Rule = {
    meta: {
        id: ID,
        summary: '`getClientCapabilities()` knows nothing on 2026-07-28, where capabilities come with each request.',
        messages: {},
        samples: [
            {
                before: 'if (!server.server.getClientCapabilities()?.elicitation) return text(question);',
                after: 'if (!clientCapabilities(ctx, server.server)?.elicitation) return text(question);'
            }
        ]
    },
    plan: plan =>
        plan.facts.guards.flatMap(({ file, call, receiver, context, ambient }): Edit[] => {
            if (context === undefined && ambient === undefined) return [];
            const read = plan.imports.add(file, 'mcp-mrtr', 'clientCapabilities');
            const text = `${read}(${ambient === true ? 'undefined' : plan.contextOf(context)}, ${receiver})`;
            return [{ file, ...call, text, rule: ID, group: plan.group }];
        })
};
