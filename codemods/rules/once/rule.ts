import type { Edit } from '../../edits/edit.js';
import type { OnceFact } from '../../facts/facts.js';
import type { Plan, Rule } from '../rule.js';

const ID = 'once';

/** What happens before an ask happens once per call, although the handler runs again in every round. */
export const once: Rule = {
    meta: {
        id: ID,
        summary: 'Code above an ask runs again in every round, so what must happen once is recorded with `ctx.once`.',
        messages: {},
        samples: [
            {
                before: 'const hold = await holdSeats(show, seats);',
                after: "const hold = await ctx.once('hold', () => holdSeats(show, seats));"
            }
        ]
    },
    plan: plan => plan.facts.onces.flatMap(fact => onceEdits(plan, fact))
};

/** Only what surrounds the expression is written, so that it keeps its text, layout and comments. */
function onceEdits(plan: Plan, fact: OnceFact): Edit[] {
    const { file, span, form, statement, awaits, parentheses } = fact;
    const module = plan.facts.modules.find(one => one.file === file);
    const quote = module?.quote ?? "'";
    const end = module?.semicolon === false ? '' : ';';
    const key = `${quote}${plan.onceKeys.get(fact) ?? fact.name}${quote}`;
    const ctx = plan.contextOf(fact.context);
    const insert = (at: number, text: string): Edit => ({
        file,
        start: at,
        end: at,
        text,
        rule: ID,
        group: plan.group
    });
    if (form === 'date') return [insert(span.end - 1, `${ctx}.onceSync(${key}, () => Date.now())`)];
    const head = form === 'sync' ? `${ctx}.onceSync(${key}, ` : `${ctx}.once(${key}, `;
    const arrow = awaits ? 'async () => ' : '() => ';
    const [open, close] = statement ? ['{ ', `${end} }`] : parentheses.inside ? ['(', ')'] : ['', ''];
    const [before, after] = form !== 'value' ? ['', ''] : parentheses.outside ? ['(await ', ')'] : ['await ', ''];
    return [insert(span.start, `${before}${head}${arrow}${open}`), insert(span.end, `${close})${after}`)];
}
