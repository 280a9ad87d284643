import { relative } from 'node:path';
import { ruleFor } from '../project/sites.js';
import type { SiteReport } from '../report.js';
import { GROUP } from './makeEdits.js';
import type { Planned } from './planMigration.js';
import type { OriginalSite } from '../project/scanSites.js';

/** One row for every site of the original, whatever became of it. */
export function siteReports(
    sites: readonly OriginalSite[],
    planned: Planned,
    keys: ReadonlyMap<string, string>,
    root: string
): SiteReport[] {
    return sites.map(site => {
        const decision = planned.decisions.get(site.id) ?? {
            status: 'skipped' as const,
            reason: site.judgement.skipped ?? ''
        };
        const key = keys.get(site.id);
        const handlers = planned.candidates.get(site.id)?.handlers ?? [];
        return {
            id: site.id,
            file: relative(root, site.file).replace(/\\/g, '/'),
            line: site.line,
            column: site.column,
            endLine: site.endLine,
            kind: site.kind,
            api: site.api,
            status: decision.status,
            rule: ruleFor(site.kind, site.form),
            reason: decision.reason,
            ...(key === undefined ? {} : { key, mode: modeOf(planned, site.id), group: GROUP }),
            reach: handlers.map(({ label }) => ({ handler: label, status: decision.status }))
        };
    });
}

/** A site waits as its handler does, and one of the handler's other questions may be the reason. */
function modeOf({ facts, parked }: Planned, id: string): 'park' | 'replay' {
    const { context, ambient } = facts.sites.find(site => site.id === id) ?? {};
    if (ambient?.known === false) return 'park';
    const handlers = ambient?.handlers ?? facts.functions.find(fact => fact.id === context)?.handlers ?? [];
    return handlers.some(handler => parked.has(handler)) ? 'park' : 'replay';
}
