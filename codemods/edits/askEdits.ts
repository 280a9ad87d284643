import type { RequestFact, SiteFact } from '../facts/facts.js';
import type { Plan } from '../rules/rule.js';
import type { Edit } from './edit.js';

/** Builders of the runtime, by what is asked for. */
const BUILDERS: Readonly<Partial<Record<SiteFact['kind'], string>>> = {
    elicit: 'elicit',
    elicitUrl: 'elicitUrl',
    sample: 'sample',
    roots: 'listRoots'
};

/**
 * Rewrites `server.elicitInput(params, options)` to `ctx.need('key', elicit(params))`, or, where no context can be had, to
 * `need('key', elicit(params), server)`. Only what surrounds the
 * parameters is replaced, so they keep their text, layout and comments.
 */
export function askEdits(plan: Plan, site: SiteFact, rule: string): Edit[] {
    const key = plan.keys.get(site.id);
    const builder = BUILDERS[site.kind];
    if (key === undefined || builder === undefined || site.request === undefined) return [];
    const build = plan.imports.add(site.file, 'mcp-mrtr', builder);
    const module = plan.facts.modules.find(one => one.file === site.file);
    const quote = module?.quote ?? "'";
    const ask =
        site.ambient === undefined
            ? `${plan.contextOf(site.context)}.need`
            : plan.imports.add(site.file, 'mcp-mrtr', 'need');
    const cast = plan.cast.has(site.id) ? ` as Parameters<typeof ${build}>[0]` : '';
    const head = `${ask}(${quote}${key}${quote}, ${build}(`;
    const tail = cast + (site.ambient === undefined ? '))' : `), ${site.ambient.outside})`);
    const edit = (start: number, end: number, text: string): Edit => ({
        file: site.file,
        start,
        end,
        text,
        rule,
        group: plan.group
    });
    const { call, request, pageId } = site;
    if (request.form === 'params') {
        return [
            edit(call.start, request.span.start, head),
            ...(pageId === undefined ? [] : [edit(pageId.start, pageId.end, '')]),
            edit(request.span.end, call.end, behind(request, tail, module?.eol ?? '\n'))
        ];
    }
    return [edit(call.start, call.end, `${head}${request.form === 'property' ? request.text : ''}${tail}`)];
}

/** Comments that stood above the options stay. */
function behind({ comments, indent }: Extract<RequestFact, { form: 'params' }>, tail: string, eol: string): string {
    if (comments.length === 0) return tail;
    return [...comments, tail].map(text => `${eol}${indent}${text}`).join('');
}

/** Edits of all sites that a rule is responsible for. */
export function askEditsOf(plan: Plan, rule: string): Edit[] {
    return plan.facts.sites.filter(site => site.rule === rule).flatMap(site => askEdits(plan, site, rule));
}
