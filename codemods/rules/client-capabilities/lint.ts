import type { LintRule } from '../lintRule.js';

export const clientCapabilitiesLint: LintRule = {
    id: 'client-capabilities',
    category: 'deprecated',
    level: 'warning',
    summary: '`getClientCapabilities()` knows what a handshake said, and revision 2026-07-28 has none.',
    why: 'It returns `undefined` there (or what another request said), so code behind it takes every client for one that cannot be asked. Where it guards a question, the dangerous thing may happen without one.',
    instead:
        'In a handler: `clientCapabilities(ctx, server)`, which reads those of the request. At start-up: register everything, and look in the handler.',
    messages: {
        inHandler:
            '`getClientCapabilities()` knows nothing on revision 2026-07-28: `clientCapabilities(ctx, server)` reads those of the request.',
        outside:
            '`getClientCapabilities()` is read outside a request, where revision 2026-07-28 tells nothing of the client.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    if (!server.server.getClientCapabilities()?.elicitation) return text('deleted without a question');
    return text('asked');
});`,
        `server.server.oninitialized = () => {
    if (server.server.getClientCapabilities()?.roots) roots.add('all');
};`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    if (!clientCapabilities(ctx, server.server)?.elicitation) return text('not without a question');
    return text('asked');
}));`
    ]
};
