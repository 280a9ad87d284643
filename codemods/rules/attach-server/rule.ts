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
    plan: ({ facts, group, runtime }) =>
        facts.servers
            .filter(({ attached }) => !attached)
            .flatMap(({ file, construction: { start, end }, parks, statement }): Edit[] => {
                const { quote = "'", eol = '\n' } = facts.modules.find(one => one.file === file) ?? {};
                const options = parks === true ? `, { mode: ${quote}park${quote} }` : '';
                if (statement !== undefined) {
                    const { indent, semicolon } = statement;
                    const text = `${eol}${indent}${runtime(file, 'attach')}(this${options})${semicolon ? ';' : ''}`;
                    return [{ file, start: end, end, text, rule: ID, group }];
                }
                return [
                    { file, start, end: start, text: `${runtime(file, 'attach')}(`, rule: ID, group },
                    { file, start: end, end, text: `${options})`, rule: ID, group }
                ];
            })
};
