import type { Edit } from '../../edits/edit.js';
import type { FunctionFact, Gap } from '../../facts/facts.js';
import type { Plan, Rule } from '../rule.js';

const ID = 'thread-context';

/** Hands the request's context down from the handler to the function that asks. */
export const threadContext: Rule = {
    meta: {
        id: ID,
        summary: 'A question belongs to a request, so the function that asks needs the context of the request.',
        messages: {},
        samples: [
            {
                before: 'async function confirm(server: McpServer, question: string) { … }',
                after: 'async function confirm(ctx: NeedContext, question: string) { … }'
            }
        ]
    },
    plan: plan => plan.facts.functions.flatMap(fact => [...parameterEdits(plan, fact), ...argumentEdits(plan, fact)])
};

function parameterEdits(plan: Plan, fact: FunctionFact): Edit[] {
    const { parameter, file } = fact;
    const edit = (start: number, end: number, text: string): Edit => ({
        file,
        start,
        end,
        text,
        rule: ID,
        group: plan.group
    });
    if (fact.result !== undefined) plan.imports.add(file, 'mcp-mrtr', 'type NeedContext');
    const result =
        fact.result === undefined ? [] : [edit(fact.result.span.start, fact.result.span.end, fact.result.text)];
    if (parameter.form === 'present') {
        if (parameter.annotation === undefined) return [];
        plan.imports.add(file, 'mcp-mrtr', 'type NeedContext');
        return [edit(parameter.annotation.start, parameter.annotation.end, 'NeedContext')];
    }
    const text = parameter.typed ? `${parameter.name}: NeedContext` : parameter.name;
    if (parameter.typed) plan.imports.add(file, 'mcp-mrtr', 'type NeedContext');
    if (parameter.form === 'replace') return [edit(parameter.span.start, parameter.span.end, text)];
    const opening = parameter.open === undefined ? [] : [edit(parameter.open, parameter.open, '(')];
    return [...opening, ...result, edit(parameter.gap.at, parameter.gap.at, fill(parameter.gap, text))];
}

function argumentEdits(plan: Plan, fact: FunctionFact): Edit[] {
    return fact.calls.flatMap(({ file, caller, argument }) => {
        const name = plan.contextOf(caller);
        if (argument.form === 'insert') {
            const { at } = argument.gap;
            return [{ file, start: at, end: at, text: fill(argument.gap, name), rule: ID, group: plan.group }];
        }
        // A context that is handed on already keeps its name; only the name of the parameter decides.
        return [{ file, ...argument.span, text: name, rule: ID, group: plan.group }];
    });
}

const fill = (gap: Gap, text: string): string => `${gap.before}${text}${gap.after}`;
