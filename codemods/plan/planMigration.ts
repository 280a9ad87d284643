import type { Facts, SiteFact } from '../facts/facts.js';
import type { Analysis, Candidate } from '../project/analysis.js';
import { decide } from './decide.js';
import type { Decision } from './decide.js';
import type { OriginalSite } from '../project/scanSites.js';

export interface Planned {
    decisions: Map<string, Decision>;
    candidates: Map<string, Candidate>;
    /** What has to be edited. */
    facts: Facts;
    /** Sites that stay as they are and get a comment. */
    manual: { fact: SiteFact; reason: string }[];
}

/** Decides, asks what the decision would take, and decides again without the sites for which that cannot be done. */
export function planMigration(analysis: Analysis, sites: readonly OriginalSite[]): Planned {
    const judgements = new Map(sites.map(({ id, judgement }) => [id, judgement]));
    const candidates = new Map(analysis.candidates().map(candidate => [candidate.fact.id, candidate]));
    for (;;) {
        const decisions = decide([...candidates.values()], judgements);
        const { facts, problems } = analysis.facts(selectedIn(decisions));
        if (problems.size === 0) {
            const manual = [...candidates.values()].flatMap(({ fact }) => {
                const decision = decisions.get(fact.id);
                return decision?.status === 'manual' ? [{ fact, reason: decision.reason }] : [];
            });
            return { decisions, candidates, facts, manual };
        }
        for (const [id, unsupported] of problems) {
            judgements.set(id, { byName: false, ...judgements.get(id), unsupported });
        }
    }
}

function selectedIn(decisions: ReadonlyMap<string, Decision>): Set<string> {
    const kept = [...decisions].filter(([, { status }]) => status === 'migrated' || status === 'review');
    return new Set(kept.map(([id]) => id));
}
