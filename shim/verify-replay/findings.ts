import { siteIdentity } from './call-site.js';
import type { CallSite } from './call-site.js';
import type { Act, LiveTimer, RoundRecord } from './round-record.js';

/**
 * `problem`: it goes wrong, or will in another round. `note`: it may be what the author wants. `evidence`: what a problem
 * or note has foretold has been seen to happen.
 */
export type Level = 'problem' | 'note' | 'evidence';

/** Something that the check has to say of a handler. */
export interface Finding {
    readonly rule: keyof typeof RULES;
    readonly level: Level;
    readonly handler: string;
    /** In which run of the handler, within its call, it was seen first; from 1. */
    readonly attempt: number;
    /** Of the question that it is about. */
    readonly key?: string | undefined;
    readonly api?: string | undefined;
    readonly target?: string | undefined;
    readonly site?: CallSite | undefined;
    readonly message: string;
    /** What to do. */
    readonly advice: string;
}

const ONCE =
    `Put it into ctx.once('<key>', () => …), which runs once per call; or move it below the last ask; ` +
    `or let the handler wait in memory with resumable({ mode: 'park' }, …).`;
const ONCE_VALUE = `If its value reaches a question, a branch or the result, put it into ctx.once('<key>', () => …).`;

/** `docs/verify-replay.md` says when each of them applies. */
export const RULES = {
    'effect-before-ask': { level: 'problem', advice: ONCE },
    'effect-beside-ask': { level: 'problem', advice: ONCE },
    'effect-repeated': { level: 'evidence', advice: ONCE },
    'effect-in-abandoned-frame': {
        level: 'problem',
        advice: `Await it before the ask, or let the handler wait in memory with resumable({ mode: 'park' }, …).`
    },
    'effect-while-unwinding': {
        level: 'note',
        advice:
            `If it is there for failures: that the call waits for its client is none. Let isSuspended(error) tell them ` +
            `apart, and rethrow.`
    },
    'timer-at-suspension': {
        level: 'problem',
        advice:
            `Its callback runs in a frame that nobody waits for, and every round starts another one. Clear it before the ` +
            `ask, or let the handler wait in memory with resumable({ mode: 'park' }, …).`
    },
    'question-changed': {
        level: 'problem',
        advice: `The user is asked again. Put what the question is made of into ctx.once('<key>', () => …).`
    },
    'question-lost': {
        level: 'problem',
        advice:
            `Its answer is given to nobody. What decides which way the handler goes has to be the same in every round: ` +
            `put it into ctx.once('<key>', () => …).`
    },
    'question-order': {
        level: 'note',
        advice: `Answers go by keys, so none is mixed up; but what lies between the questions ran in another order.`
    },
    'effect-not-repeated': {
        level: 'note',
        advice:
            `Something in this process keeps it from happening twice. Another instance does not know that, nor this one ` +
            `after a restart: put it into ctx.once('<key>', () => …).`
    },
    'effect-only-in-replay': { level: 'note', advice: ONCE },
    'read-outside-once': { level: 'note', advice: ONCE_VALUE },
    'traffic-outside-once': { level: 'note', advice: `If it changes something: ${ONCE}` },
    'volatile-outside-once': { level: 'note', advice: ONCE_VALUE }
} as const satisfies Record<string, { level: Level; advice: string }>;

type Details = Pick<Finding, 'key' | 'api' | 'target' | 'site'>;

export function finding(rule: Finding['rule'], record: RoundRecord, message: string, details: Details = {}): Finding {
    const { handler, attempt } = record;
    return { rule, ...RULES[rule], handler, attempt, message, ...details };
}

/** A finding about something that the handler did. */
export function actFinding(
    rule: Finding['rule'],
    record: RoundRecord,
    act: Act | LiveTimer,
    what: string,
    key?: string
): Finding {
    const target = 'target' in act ? act.target : undefined;
    const { api, site } = act;
    return finding(rule, record, `${api}${target === undefined ? '' : ` (${target})`} ${what}`, {
        key,
        api,
        target,
        site
    });
}

/** Findings that are the same for whoever has to change the code, whichever resource of a template it was seen with. */
export function identityOf({ rule, handler, api, site, key }: Finding): string {
    return JSON.stringify(site === undefined ? [rule, handler, key] : [rule, api, siteIdentity(site)]);
}
