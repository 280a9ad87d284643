import type { LintRule } from '../lintRule.js';

export const sessionStateLint: LintRule = {
    id: 'session-state',
    category: 'deprecated',
    level: 'warning',
    summary: 'State is kept under the id of a session, and revision 2026-07-28 has no sessions.',
    why: '`ctx.sessionId` is `undefined` there: all clients share one entry, or each call begins anew.',
    instead:
        'Within one call: `ctx.once`. Between calls: a name that the caller is known by (`ctx.http.authInfo`), or an id that is an argument of the tool.',
    messages: {
        key: '`{store}` is keyed by the id of a session, which requests of revision 2026-07-28 do not have.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    const cart = carts.get(ctx.sessionId ?? '') ?? [];
    return text(String(cart.length));
});`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    console.error('call of session', ctx.sessionId);
    return text('logged');
});`
    ]
};
