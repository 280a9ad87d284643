import type { LintRule } from '../lintRule.js';

export const askOutsideRequestLint: LintRule = {
    id: 'ask-outside-request',
    category: 'no-carrier',
    level: 'error',
    summary:
        'The client is asked outside of any request: at start-up, when the handshake is over, in a timer, an event listener or a route.',
    why: 'A question travels in the answer to a request of the client. Where there is none, there is nothing to carry it: the call fails on revision 2026-07-28, and usually nobody sees the failure.',
    instead:
        'Ask in the handler that needs the answer. What is fetched at start-up, as roots are, is asked for where it is read. `mcp-mrtr migrate` does this for roots and for tools that are registered late.',
    messages: {
        direct: '`{api}` asks the client {how}, outside of any request, so there is nothing to carry the question on revision 2026-07-28.',
        through:
            '`{name}` asks the client (`{api}`) and is called {how}, outside of any request, so there is nothing to carry the question on revision 2026-07-28.'
    },
    incorrect: [
        `server.server.oninitialized = async () => {
    const { roots } = await server.server.listRoots();
    console.error(roots.length);
};`,
        `async function greet() {
    const answer = await server.server.elicitInput({ message: 'Who is there?', requestedSchema: FORM });
    console.error(answer.action);
}
setInterval(() => void greet(), 60_000);`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const { roots } = await ctx.need('roots', listRoots());
    return text(String(roots.length));
}));`
    ]
};
