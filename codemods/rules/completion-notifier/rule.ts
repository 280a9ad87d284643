import type { Edit } from '../../edits/edit.js';
import type { Rule } from '../rule.js';

const ID = 'completion-notifier';

/** Takes out what announces that a page is done. */
export const completionNotifier: Rule = {
    meta: {
        id: ID,
        summary:
            '`createElicitationCompletionNotifier` announces that a page is done; 2026-07-28 has no such notification.',
        messages: { todo: 'remove the notifier and its calls; the client sends the call again when the user is done' },
        samples: [
            {
                before: 'const done = server.createElicitationCompletionNotifier(id);\nawait visited;\nawait done();',
                after: 'await visited;'
            }
        ]
    },
    plan: ({ facts, group }) =>
        facts.completions.map(({ file, statement }): Edit => ({ file, ...statement, text: '', rule: ID, group }))
};
