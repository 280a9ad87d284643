import type { Edit } from '../../edits/edit.js';
import type { Rule } from '../rule.js';

const ID = 'resumable-handler';

/** Wraps each handler that leads to a question: the visible sign that it may run again from the top. */
export const resumableHandler: Rule = {
    meta: {
        id: ID,
        summary: 'A handler that asks is wrapped in `resumable`, because it runs again when the answer comes.',
        messages: {},
        samples: [
            {
                before: "server.registerTool('refund', config, async ({ order }) => { … });",
                after: "server.registerTool('refund', config, resumable(async ({ order }, ctx) => { … }));"
            }
        ]
    },
    plan: ({ facts, parked, group, runtime }) =>
        facts.handlers
            .filter(({ wrapped }) => !wrapped)
            .flatMap(({ id, file, callback }): Edit[] => {
                const quote = facts.modules.find(one => one.file === file)?.quote ?? "'";
                const options = parked.has(id) ? `{ mode: ${quote}park${quote} }, ` : '';
                const { start, end } = callback;
                const head = `${runtime(file, 'resumable')}(${options}`;
                return [
                    { file, start, end: start, text: head, rule: ID, group },
                    { file, start: end, end, text: ')', rule: ID, group }
                ];
            })
};
