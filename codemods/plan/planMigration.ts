import { relative } from 'node:path';
import type { Facts, OnceFact, SiteFact } from '../facts/facts.js';
import type { Analysis, Candidate } from '../project/analysis.js';
import { decide } from './decide.js';
import type { Decision, EffectsPolicy } from './decide.js';
import type { OriginalSite } from '../project/scanSites.js';

export interface Planned {
    decisions: Map<string, Decision>;
    candidates: Map<string, Candidate>;
    /** What has to be edited. */
    facts: Facts;
    /** Ids of handlers that wait in memory: one of their questions needs it, and a handler waits in one way only. */
    parked: Set<string>;
    /** Sites that stay as they are and get a comment. */
    manual: { fact: SiteFact; reason: string }[];
}

/** Decides, asks what the decision would take, and decides again without the sites for which that cannot be done. */
export function planMigration(
    analysis: Analysis,
    sites: readonly OriginalSite[],
    effects: EffectsPolicy,
    root: string
): Planned {
    const places = new Map(
        sites.map(({ id, file, line }) => [id, `${relative(root, file).replace(/\\/g, '/')}:${line}`])
    );
    const judgements = new Map(sites.map(({ id, judgement }) => [id, judgement]));
    const candidates = new Map(analysis.candidates().map(candidate => [candidate.fact.id, candidate]));
    for (;;) {
        const decisions = decide([...candidates.values()], judgements, effects, places);
        const { facts, problems } = analysis.facts(selectedIn(decisions), ambientIn(decisions));
        if (problems.size === 0) {
            const manual = [...candidates.values()].flatMap(({ fact }) => {
                const decision = decisions.get(fact.id);
                return decision?.status === 'manual' ? [{ fact, reason: decision.reason }] : [];
            });
            const parked = parkedHandlers(facts, decisions);
            const onces = effects === 'once' ? oncesOf(facts, parked) : [];
            return { decisions, candidates, facts: { ...facts, onces }, manual, parked };
        }
        for (const [id, unthreadable] of problems) {
            judgements.set(id, { byName: false, ...judgements.get(id), unthreadable });
        }
    }
}

function parkedHandlers({ sites, functions }: Facts, decisions: ReadonlyMap<string, Decision>): Set<string> {
    const parked = sites.filter(({ id }) => decisions.get(id)?.mode === 'park');
    const contexts = parked.filter(({ ambient }) => ambient === undefined).map(({ context }) => context);
    return new Set([
        ...functions.filter(({ id }) => contexts.includes(id)).flatMap(({ handlers }) => handlers),
        ...parked.flatMap(({ ambient }) => ambient?.handlers ?? [])
    ]);
}

/** What has to run once, for questions of which a handler runs again. What stands in another such piece is part of it. */
function oncesOf({ sites, functions }: Facts, parked: ReadonlySet<string>): OnceFact[] {
    const replayed = new Set(
        functions.filter(({ handlers }) => handlers.some(one => !parked.has(one))).map(({ id }) => id)
    );
    const wanted = new Map<string, OnceFact>();
    for (const { context, hazards, ambient } of sites) {
        if (context === undefined || ambient !== undefined || !replayed.has(context)) continue;
        for (const { once } of hazards) {
            if (once === undefined || !replayed.has(once.context)) continue;
            wanted.set(`${once.file}:${once.span.start}:${once.span.end}`, once);
        }
    }
    const all = [...wanted.values()];
    const within = (inner: OnceFact, outer: OnceFact): boolean =>
        inner !== outer &&
        inner.file === outer.file &&
        outer.span.start <= inner.span.start &&
        inner.span.end <= outer.span.end;
    return all
        .filter(one => !all.some(other => within(one, other)))
        .sort((a, b) => (a.file === b.file ? a.span.start - b.span.start : a.file < b.file ? -1 : 1));
}

function ambientIn(decisions: ReadonlyMap<string, Decision>): Set<string> {
    return new Set([...decisions].filter(([, { ambient }]) => ambient === true).map(([id]) => id));
}

function selectedIn(decisions: ReadonlyMap<string, Decision>): Set<string> {
    const kept = [...decisions].filter(([, { status }]) => status === 'migrated' || status === 'review');
    return new Set(kept.map(([id]) => id));
}
