import type { Edit } from '../../edits/edit.js';
import type { Rule } from '../rule.js';

const ID = 'attach-server';

/** Puts the runtime's seam on every server of the project, before its first registration. */
export const attachServer: Rule = {
    meta: {
        id: ID,
        summary: 'A server with resumable handlers is attached where it is made, before the first registration.',
        messages: {},
        samples: [
            {
                before: "const server = new McpServer({ name: 'shop', version: '1.0.0' });",
                after: "const server = attach(new McpServer({ name: 'shop', version: '1.0.0' }));"
            }
        ]
    },
    plan: ({ facts, group }) =>
        facts.servers
            .filter(({ attached }) => !attached)
            .flatMap(({ file, construction }): Edit[] => [
                { file, start: construction.start, end: construction.start, text: 'attach(', rule: ID, group },
                { file, start: construction.end, end: construction.end, text: ')', rule: ID, group }
            ])
};
