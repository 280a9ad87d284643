import type { Edit } from '../../edits/edit.js';
import type { Rule } from '../rule.js';

const ID = 'passed-method';

/** A push method under another name: bound, adapted, or given to a function. Its calls are rewritten, so it goes. */
export const passedMethod: Rule = {
    meta: {
        id: ID,
        summary: 'A push method that is bound or passed on as a value is called where its request cannot be seen.',
        messages: {
            todo: 'hand on the context of the request instead, and ask with ctx.need where the method was called'
        },
        samples: [
            {
                before: 'const ask = server.elicitInput.bind(server);\nconst go = await ask(question);',
                after: "const go = await ctx.need('go', elicit(question));"
            }
        ]
    },
    plan: ({ facts, group }) =>
        facts.aliases.map(({ file, statement }): Edit => ({ file, ...statement, text: '', rule: ID, group }))
};
