import type { LintRule } from '../lintRule.js';

export const urlElicitationRequiredLint: LintRule = {
    id: 'url-elicitation-required',
    category: 'deprecated',
    level: 'error',
    summary: '`UrlElicitationRequiredError` (-32042) asks for pages first; revision 2026-07-28 has no such error.',
    why: 'SDK v2 answers a request of that revision with an internal error instead, and the user never sees the page.',
    instead:
        'Wrap the handler in `resumable(…)`, which makes a round of pages of the error, or ask for the page: `await ctx.need(key, elicitUrl({ … }))`.',
    messages: {
        call: '`{api}` is an error that revision 2026-07-28 does not have; the user never sees the page.',
        byName: '`{api}` is an error that revision 2026-07-28 does not have; the user never sees the page.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, async () => {
    throw new UrlElicitationRequiredError([{ mode: 'url', message: 'Sign in', url: 'https://shop.example/login', elicitationId: 'e1' }]);
});`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async () => {
    throw new UrlElicitationRequiredError([{ mode: 'url', message: 'Sign in', url: 'https://shop.example/login', elicitationId: 'e1' }]);
}));`
    ]
};
