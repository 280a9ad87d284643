import type { Rule } from '../rule.js';

/** What is registered when the handshake is over. Its edits are made where those of `roots-lifecycle` are. */
export const lateRegistration: Rule = {
    meta: {
        id: 'late-registration',
        summary:
            'A tool registered in `oninitialized` if the client can be asked: on 2026-07-28 it is registered at once, and each call looks.',
        messages: {},
        samples: [
            {
                before: "if (server.server.getClientCapabilities()?.elicitation) server.registerTool('ask', {}, async () => { … });",
                after: "server.registerTool('ask', {}, resumable(async ctx => { if (!clientCapabilities(ctx, server.server)?.elicitation) throw …; … }));"
            }
        ]
    },
    plan: () => []
};
