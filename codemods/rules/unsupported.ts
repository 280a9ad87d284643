import type { Rule } from './rule.js';

/** Rules that find and explain, and leave the code to a person. */
function explaining(id: string, summary: string, todo: string): Rule {
    return { meta: { id, summary, messages: { todo }, samples: [] }, plan: () => [] };
}

/** Its rewriting is that of the handler, which `resumable-handler` wraps. */
export const urlElicitationRequired = explaining(
    'url-elicitation-required',
    'Throwing `UrlElicitationRequiredError` (-32042) asks for pages first; 2026-07-28 has no such error.',
    'wrap the handler in resumable(…), which makes a round of pages of the error, or ask for the page: await ctx.need(key, elicitUrl({ message, url }))'
);
