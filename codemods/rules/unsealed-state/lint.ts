import type { LintRule } from '../lintRule.js';

export const unsealedStateLint: LintRule = {
    id: 'unsealed-state',
    category: 'state',
    level: 'error',
    summary: '`requestState` is plain text that nobody sealed.',
    why: 'It travels through the client, which can read it and send back whatever it likes: another price, another user. The SDK does not protect it by itself.',
    instead:
        'Mint it with `createRequestStateCodec` of the SDK and give its `verify` to the server, or write the handler with `ctx.need` and `ctx.once`, whose state is sealed.',
    messages: {
        plain: '`requestState` is {how}, which the client can change. Mint it with a codec that the server verifies.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, async (args, ctx) => {
    return inputRequired({ inputRequests: {}, requestState: JSON.stringify({ order: args.order }) });
});`
    ],
    correct: [
        `const codec = createRequestStateCodec({ key: process.env.MCP_STATE_KEY ?? '' });
server.registerTool('refund', CONFIG, async (args, ctx) => {
    return inputRequired({ inputRequests: {}, requestState: await codec.mint({ order: args.order }) });
});`
    ]
};
