import type { AmbientFact, Hazard, SiteFact } from '../facts/facts.js';
import type { Candidate } from '../project/analysis.js';
import type { SiteStatus } from '../report.js';

export interface Decision {
    status: SiteStatus;
    reason: string;
    /** How the handler has to wait for the answer; `replay` where nothing is said. */
    mode?: 'park';
    /** The ask takes the handler that is running instead of a context. */
    ambient?: true;
}

/**
 * What to do where running a handler again from the top would be noticed: let what would be noticed happen once per
 * call, and the handler wait in memory where that cannot be (`once`), let it wait in any case (`park`), or leave the site
 * to a person (`mark`).
 */
export type EffectsPolicy = 'once' | 'park' | 'mark';

/** What the scan of the original knows beside the candidate: whose call it is, and what the planner cannot rewrite. */
export interface Judgement {
    /** Decided before anything was read further: tests, look-alikes. */
    skipped?: string;
    /** It is a push call that a maintainer leaves on purpose: it stays among those that run with it. */
    ignored?: true;
    /** The call is the SDK's only by its name. */
    byName: boolean;
    /** A form that no rule rewrites, in words. */
    unsupported?: string;
    /** Why no context can be handed to it, found when that was tried. */
    unthreadable?: string;
}

/** Methods that exist on 2025-era connections only; there a request is pushed as it always was. */
const LEGACY_ONLY: ReadonlySet<string> = new Set([
    'resources/subscribe',
    'resources/unsubscribe',
    'logging/setLevel',
    'ping'
]);

/**
 * Decides each site on its own, then together: a handler that keeps one old ask keeps all asks that run with it,
 * because half a migration would fail between two confirmations instead of in front of the first.
 *
 * @param places where each site is, for reasons that name another one: `src/server.ts:12`.
 */
export function decide(
    candidates: readonly Candidate[],
    judgements: ReadonlyMap<string, Judgement>,
    effects: EffectsPolicy,
    places: ReadonlyMap<string, string>
): Map<string, Decision> {
    const decisions = new Map<string, Decision>();
    for (const candidate of candidates) {
        decisions.set(candidate.fact.id, alone(candidate, judgements.get(candidate.fact.id), effects));
    }
    spreadManual(candidates, decisions, judgements, places);
    for (const { fact, dissolvesInto } of candidates) {
        if (dissolvesInto !== undefined) decisions.set(fact.id, dissolved(dissolvesInto, decisions, places));
    }
    return decisions;
}

/** A method that is passed on goes when everything that calls it is rewritten; before that it cannot. */
function dissolved(
    calls: readonly string[],
    decisions: ReadonlyMap<string, Decision>,
    places: ReadonlyMap<string, string>
): Decision {
    if (calls.length === 0)
        return { status: 'manual', reason: 'the method is passed on as a value, and where it is called is not known' };
    const kept = calls.find(id => !['migrated', 'review'].includes(decisions.get(id)?.status ?? ''));
    if (kept !== undefined)
        return {
            status: 'manual',
            reason: `a call of the method it passes on stays as it is (${places.get(kept) ?? kept})`
        };
    return { status: 'migrated', reason: '' };
}

function alone(
    { fact, handlers, done }: Candidate,
    judgement: Judgement | undefined,
    effects: EffectsPolicy
): Decision {
    if (judgement?.skipped !== undefined) return { status: 'skipped', reason: judgement.skipped };
    if (done !== undefined) return { status: 'skipped', reason: done };
    if (judgement?.unsupported !== undefined) return { status: 'manual', reason: judgement.unsupported };
    const left = fact.hazards.filter(hazard => !isCured(hazard, effects));
    const manual = left.filter(({ level, cure }) => level === 'manual' && (cure === undefined || effects === 'mark'));
    if (judgement?.unthreadable !== undefined)
        manual.push({ level: 'manual', message: judgement.unthreadable, threading: true });
    const closedHandler = handlers.some(({ label, interruptible }) => !interruptible && !LEGACY_ONLY.has(label));
    if (fact.ambient !== undefined && fact.request !== undefined && !closedHandler && manual.length > 0) {
        if (manual.every(({ threading }) => threading === true))
            return withoutContext(fact, fact.ambient, manual, judgement, effects);
    }
    const reasons = manual.map(({ message }) => message);
    if (fact.request === undefined && reasons.length === 0)
        reasons.push('the request it sends cannot be read from the code');
    const closed = handlers.find(({ label, interruptible }) => !interruptible && !LEGACY_ONLY.has(label));
    if (closed !== undefined) reasons.push(`${closed.label} cannot be answered with a question on 2026-07-28`);
    if (reasons.length > 0) return { status: 'manual', reason: joined(reasons) };
    const parked = effects !== 'mark' && left.some(({ cure }) => cure !== undefined);
    const review = left.map(({ message }) => message);
    if (parked) review.unshift(PARKED);
    if (judgement?.byName === true) review.push(BY_NAME);
    const legacy = handlers.find(({ interruptible }) => !interruptible);
    if (legacy !== undefined) {
        review.push(`${legacy.label} exists on 2025-era connections only; there ctx.need pushes the request as before`);
    }
    if (fact.droppedOptions.length > 0) review.push(droppedText(fact.droppedOptions));
    if (review.length === 0) return { status: 'migrated', reason: '' };
    return { status: 'review', reason: joined(review), ...(parked ? { mode: 'park' as const } : {}) };
}

/**
 * The ask finds its handler by itself. Where only tests, or code outside of requests, stand in the way of a context, that
 * is as sure as handing one on; where the handlers are not known, every one of the server waits in memory.
 */
function withoutContext(
    { hazards, droppedOptions }: SiteFact,
    { known, alsoOutside }: AmbientFact,
    problems: readonly Hazard[],
    judgement: Judgement | undefined,
    effects: EffectsPolicy
): Decision {
    const noticed = hazards.filter(({ threading, cure }) => threading !== true && cure !== undefined);
    if (!known && effects === 'mark') return { status: 'manual', reason: joined(problems.map(one => one.message)) };
    const parked = known && noticed.length > 0;
    const review = hazards
        .filter(({ level, cure }) => level === 'review' && cure === undefined)
        .map(({ message }) => message);
    if (!known) {
        review.unshift(
            'it takes the handler that is running, since no context can be handed to it, and all handlers of the server wait in memory',
            ...problems.slice(0, 2).map(({ message }) => message)
        );
    }
    if (known && alsoOutside) {
        review.push(`${problems[0]?.message ?? ''}: there it goes on asking clients of 2025-era connections only`);
    }
    if (parked) review.unshift(PARKED, ...noticed.map(({ message }) => message));
    if (judgement?.byName === true) review.push(BY_NAME);
    if (droppedOptions.length > 0) review.push(droppedText(droppedOptions));
    return {
        status: review.length === 0 ? 'migrated' : 'review',
        reason: joined(review),
        ambient: true,
        ...(parked ? { mode: 'park' as const } : {})
    };
}

const PARKED = 'the handler waits in memory for the answer, so one process has to serve the whole call';
const BY_NAME = 'the type of the server is not known; the call was recognised by its name';
const droppedText = (options: readonly string[]): string =>
    `dropped: ${options.join(', ')}; the time to answer is now bounded by ttlSeconds, and the round by the request's own signal`;

const isCured = ({ cure }: Hazard, effects: EffectsPolicy): boolean => effects === 'once' && cure === 'once';

/** At most four reasons: more of them are not read. */
function joined(reasons: readonly string[]): string {
    const shown = reasons.slice(0, 4).join('; ');
    return reasons.length <= 4 ? shown : `${shown}; and ${reasons.length - 4} more`;
}

function spreadManual(
    candidates: readonly Candidate[],
    decisions: Map<string, Decision>,
    judgements: ReadonlyMap<string, Judgement>,
    places: ReadonlyMap<string, string>
): void {
    const stays = (id: string): boolean =>
        decisions.get(id)?.status === 'manual' || judgements.get(id)?.ignored === true;
    for (let changed = true; changed;) {
        changed = false;
        for (const { fact, related } of candidates) {
            const own = decisions.get(fact.id);
            if (own?.status !== 'migrated' && own?.status !== 'review') continue;
            const kept = [...related].find(stays);
            if (kept === undefined) continue;
            decisions.set(fact.id, {
                status: 'manual',
                reason: `another ask of the same handler (${places.get(kept) ?? kept}) has to be done by hand first`
            });
            changed = true;
        }
    }
}
