import { firstDifference } from '../exchange/question-memory.js';
import type { Question } from '../exchange/question.js';
import { placeText, siteIdentity } from './call-site.js';
import { actFinding, finding } from './findings.js';
import { isHeld, isRelease } from './held.js';
import type { Finding } from './findings.js';
import type { Act, RoundRecord } from './round-record.js';

/** Of which rule an act outside of `ctx.once` is a case, before an ask and beside one. */
const RULE_OF: Record<Act['kind'], { before: Finding['rule']; beside: Finding['rule'] }> = {
    effect: { before: 'effect-before-ask', beside: 'effect-beside-ask' },
    read: { before: 'read-outside-once', beside: 'read-outside-once' },
    traffic: { before: 'traffic-outside-once', beside: 'traffic-outside-once' },
    volatile: { before: 'volatile-outside-once', beside: 'volatile-outside-once' }
};

const AGAIN: Record<Act['kind'], string> = {
    effect: 'it would happen again in every round',
    read: 'every round would read it again, and may read something else',
    traffic: 'every round would send it again',
    volatile: 'every round would get another value'
};

const CONNECT = 'net.connect';

/** How much of a question a message shows, in characters. */
const SHOWN = 80;

/** Where a value came from that differs between rounds: more than a few are no help. */
const MAX_SUSPECTS = 5;

/** What will happen again, because the handler has asked after or beside it. */
export function judgeSuspension(record: RoundRecord): Finding[] {
    const sent = new Set(record.sent);
    // Packages of whose requests it is known what they do.
    const understood = new Set(
        record
            .acts()
            .filter(({ kind }) => kind === 'read' || kind === 'effect')
            .map(({ site }) => site.via)
    );
    const acts = record.entries.flatMap((act, index) => {
        if (act.kind === 'ask') return [];
        // A library that looks at the clock does so for itself.
        if (act.kind === 'volatile' && act.site.via !== undefined) return [];
        if (act.kind === 'traffic' && act.site.via !== undefined && understood.has(act.site.via)) return [];
        if (isHeld(record, act)) return [];
        const next = record.entries.slice(index).find(entry => entry.kind === 'ask' && sent.has(entry.key));
        const open = record.asks().find(({ key }) => sent.has(key));
        // The questions of pages that the handler has thrown for are asked when it has ended.
        const key = next?.kind === 'ask' ? next.key : open === undefined ? record.sent?.[0] : undefined;
        if (key !== undefined) {
            const what = `runs before '${key}' is asked, outside of ctx.once: ${AGAIN[act.kind]}`;
            return [actFinding(RULE_OF[act.kind].before, record, act, what, key)];
        }
        const what = `runs while '${open?.key ?? ''}' is asked, outside of ctx.once: ${AGAIN[act.kind]}`;
        return [actFinding(RULE_OF[act.kind].beside, record, act, what, open?.key)];
    });
    const timers = record.timers
        // A frame that unwinds may have cleared it.
        .filter(timer => !record.unwinding || timer.alive())
        .map(timer => actFinding('timer-at-suspension', record, timer, 'is running when the round is sent'));
    return [...acts, ...timers];
}

/** Something that happened in a frame whose round is out. */
export function judgeAbandoned(record: RoundRecord, act: Act): Finding | undefined {
    // A pool that this call has made goes on for others, and connects again when it has to.
    if (act.kind !== 'effect' || act.api === CONNECT) return undefined;
    const [key = ''] = record.sent ?? [];
    return actFinding('effect-in-abandoned-frame', record, act, `happens when '${key}' has been asked already`, key);
}

/** Something that a frame does because its asks have been rejected: a `finally` releases, a `catch` may take it for a failure. */
export function judgeUnwinding(record: RoundRecord, act: Act): Finding | undefined {
    if (act.kind !== 'effect' || isRelease(record, act)) return undefined;
    return actFinding(
        'effect-while-unwinding',
        record,
        act,
        'runs in every round, because the asks of the frame reject'
    );
}

/** How a replay compares with what it replays. */
export interface Comparison {
    /** Same questions in the same order, same effects; what was repeated is found, and no difference. */
    readonly equal: boolean;
    readonly findings: readonly Finding[];
}

/**
 * Compares the next round of a call, as it naturally ran, with the recording of the one before.
 *
 * @param replay has run to its end.
 * @param reached whether it came to where it would have asked everything again; not so if an error cut it short.
 */
export function compareReplay(recording: RoundRecord, replay: RoundRecord, reached: boolean): Comparison {
    const differences = [
        ...changedQuestions(recording, replay),
        ...(reached ? lostQuestions(recording, replay) : []),
        ...reordered(recording, replay),
        ...differentEffects(recording, replay, reached)
    ];
    return { equal: differences.length === 0, findings: [...differences, ...repeatedEffects(recording, replay)] };
}

function changedQuestions(recording: RoundRecord, replay: RoundRecord): Finding[] {
    const now = new Map(replay.asks().map(asked => [asked.key, asked.question]));
    return recording.asks().flatMap(({ key, question }) => {
        const other = now.get(key);
        if (other === undefined || other.digest === question.digest) return [];
        const suspects = [recording, replay].flatMap(record => suspectsOf(record, key));
        const sources = new Set(suspects.map(({ api, site }) => `${api} at ${placeText(site.places[0])}`));
        const message =
            `asks another question under '${key}' than in attempt ${recording.attempt}` +
            difference(question, other) +
            (sources.size === 0 ? '' : `. Read before it: ${[...sources].join(', ')}`);
        return [finding('question-changed', replay, message, { key, site: suspects[0]?.site })];
    });
}

function difference(was: Question, now: Question): string {
    const path = firstDifference(was.request, now.request);
    return path === undefined ? '' : `: ${path} was ${shown(was.request, path)}, now ${shown(now.request, path)}`;
}

/** What may have given another value than before, with libraries last. */
function suspectsOf(record: RoundRecord, key: string): Act[] {
    const before = record.acts(new Set([key])).filter(({ kind }) => kind === 'volatile' || kind === 'read');
    return before
        .sort((a, b) => Number(a.site.via !== undefined) - Number(b.site.via !== undefined))
        .slice(0, MAX_SUSPECTS);
}

function shown(value: unknown, path: string): string {
    for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
    const text = value === undefined ? 'absent' : JSON.stringify(value);
    return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function lostQuestions(recording: RoundRecord, replay: RoundRecord): Finding[] {
    const now = new Set(replay.asks().map(({ key }) => key));
    return recording
        .asks()
        .filter(({ key }) => !now.has(key))
        .map(({ key }) =>
            finding('question-lost', replay, `does not come to '${key}' again, which it asked before`, { key })
        );
}

function reordered(recording: RoundRecord, replay: RoundRecord): Finding[] {
    const common = new Set(replay.asks().map(({ key }) => key));
    const before = recording.asks().flatMap(({ key }) => (common.has(key) ? [key] : []));
    const known = new Set(before);
    const now = replay.asks().flatMap(({ key }) => (known.has(key) ? [key] : []));
    const at = before.findIndex((key, index) => key !== now[index]);
    if (at < 0) return [];
    const message = `asks in another order: ${before.join(', ')}, now ${now.join(', ')}`;
    return [finding('question-order', replay, message, { key: before[at] })];
}

function differentEffects(recording: RoundRecord, replay: RoundRecord, reached: boolean): Finding[] {
    const missing = reached ? without(effects(recording), effects(replay)) : [];
    // Behind the last of the old questions everything is new. What is held is taken again, and nothing new.
    const asked = new Set(recording.asks().map(({ key }) => key));
    const held = recording.acts().filter(act => isHeld(recording, act));
    const added = without(effects(replay, asked), [...effects(recording), ...held]);
    return [
        ...missing.map(act =>
            actFinding('effect-not-repeated', replay, act, `happened in attempt ${recording.attempt}, and not again`)
        ),
        ...added.map(act =>
            actFinding(
                'effect-only-in-replay',
                replay,
                act,
                `happens in the replay, and not in attempt ${recording.attempt}`
            )
        )
    ];
}

function repeatedEffects(recording: RoundRecord, replay: RoundRecord): Finding[] {
    const acts = effects(replay);
    const fresh = new Set(without(acts, effects(recording)));
    const what = `has happened again: in attempt ${recording.attempt}, and in attempt ${replay.attempt} of the same call`;
    return acts.filter(act => !fresh.has(act)).map(act => actFinding('effect-repeated', replay, act, what));
}

/** What stays of an attempt. */
function effects(record: RoundRecord, until?: ReadonlySet<string>): Act[] {
    return record.acts(until).filter(act => act.kind === 'effect' && !isHeld(record, act));
}

/** The acts that have no counterpart, one for one. By their lines and not by their targets: temporary files differ. */
function without(acts: readonly Act[], others: readonly Act[]): Act[] {
    const left = others.map(identityOf);
    return acts.filter(act => {
        const found = left.indexOf(identityOf(act));
        if (found >= 0) left.splice(found, 1);
        return found < 0;
    });
}

function identityOf({ api, site }: Act): string {
    return `${api} ${siteIdentity(site)}`;
}
