import type { Edit } from '../../edits/edit.js';
import type { Facts } from '../../facts/facts.js';
import type { Rule } from '../rule.js';

const ID = 'resumable-handler';

/** How long a round waits for asks that start at times of their own (engine rule 2). */
const SETTLE_MS = 25;

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
    plan: ({ facts, parked, group, runtime }) => {
        const settling = settlingHandlers(facts);
        return facts.handlers
            .filter(({ wrapped }) => !wrapped)
            .flatMap(({ id, file, callback }): Edit[] => {
                const quote = facts.modules.find(one => one.file === file)?.quote ?? "'";
                const mode = parked.has(id) ? [`mode: ${quote}park${quote}`] : [];
                const settle = settling.has(id) ? [`settleMs: ${SETTLE_MS}`] : [];
                const options = [...mode, ...settle].join(', ');
                const { start, end } = callback;
                const head = `${runtime(file, 'resumable')}(${options === '' ? '' : `{ ${options} }, `}`;
                return [
                    { file, start, end: start, text: head, rule: ID, group },
                    { file, start: end, end, text: ')', rule: ID, group }
                ];
            });
    }
};

/** Handlers of asks that start side by side after other awaits. */
function settlingHandlers({ sites, functions }: Facts): Set<string> {
    const contexts = new Set(sites.filter(({ settles }) => settles === true).map(({ context }) => context));
    return new Set(functions.filter(({ id }) => contexts.has(id)).flatMap(({ handlers }) => handlers));
}
