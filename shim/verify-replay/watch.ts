import { AsyncLocalStorage } from 'node:async_hooks';

import { askCalls, onceRuns, roundEnds, roundStarts } from '../handler/channels.js';
import type { AskCall, RoundEnd, RoundStart } from '../handler/channels.js';
import { callSite } from './call-site.js';
import type { Finding } from './findings.js';
import { compareReplay, judgeAbandoned, judgeSuspension } from './judge.js';
import { quietly } from './quietly.js';
import { RoundRecord } from './round-record.js';
import type { Act } from './round-record.js';

/** What an instrument has seen, before it is known whose it is. */
export type Sighting = Omit<Act, 'site'>;

/** What the check has seen of its process. */
export interface Counts {
    calls: number;
    /** Runs of handlers, the first of each call included. */
    attempts: number;
    /** Calls that wait in memory: nothing of them runs again. */
    parked: number;
    replays: number;
    /** Of these, the ones that asked the same in the same order, with the same effects. */
    equalReplays: number;
}

/** Rounds that clients have not come back to; the oldest is forgotten, and its call is not compared. */
const MAX_WAITING = 1000;

interface Scope {
    readonly record: RoundRecord;
    readonly inOnce: boolean;
}

/**
 * Follows every call of the process from round to round. What happens is attributed to the attempt whose asynchronous
 * context it happens in; nothing is run, changed or held up.
 */
export class Watch {
    readonly counts: Counts = { calls: 0, attempts: 0, parked: 0, replays: 0, equalReplays: 0 };
    readonly #scope = new AsyncLocalStorage<Scope | undefined>();
    readonly #tell: (finding: Finding) => void;
    readonly #records = new WeakMap<object, RoundRecord>();
    /** By the state that went out with the round. */
    readonly #waiting = new Map<string, RoundRecord>();

    /** @param tell gets each finding when it is made, the same one as often as it is seen. */
    constructor(tell: (finding: Finding) => void) {
        this.#tell = tell;
    }

    start(): void {
        roundStarts.bindStore(this.#scope, start => ({ record: this.#begin(start), inOnce: false }));
        onceRuns.bindStore(this.#scope, ({ attempt }) => {
            const record = this.#records.get(attempt);
            return record && { record, inOnce: true };
        });
        askCalls.subscribe(message => this.#ask(message as AskCall));
        roundEnds.subscribe(message => this.#end(message as RoundEnd));
    }

    /** Whether the code that runs now is a handler's, outside of `ctx.once`. */
    get active(): boolean {
        return this.#scope.getStore()?.inOnce === false;
    }

    /**
     * An instrument has seen something.
     *
     * @param below the function of the instrument that was called.
     */
    saw(sighting: Sighting, below: object): void {
        const scope = this.#scope.getStore();
        if (scope === undefined || scope.inOnce) return;
        const site = callSite(below);
        if (site === undefined) return;
        const { record } = scope;
        const act = { ...sighting, site };
        if (record.abandoned) {
            const found = judgeAbandoned(record, act);
            if (found !== undefined) this.#tell(found);
        } else {
            record.did(act);
        }
    }

    /** A timer has been set. */
    sawTimer(api: string, alive: () => boolean, below: object): void {
        const scope = this.#scope.getStore();
        if (scope === undefined || scope.inOnce || scope.record.sent !== undefined) return;
        const site = callSite(below);
        if (site !== undefined) scope.record.timers.push({ api, alive, site });
    }

    #begin({ handler, attempt, round, state }: RoundStart): RoundRecord {
        const known = this.#records.get(attempt);
        if (known !== undefined) return known;
        const replayed = state === undefined ? undefined : this.#waiting.get(state);
        const record = new RoundRecord(handler, round + 1, replayed);
        this.#records.set(attempt, record);
        this.counts.attempts++;
        if (round === 0) this.counts.calls++;
        return record;
    }

    #ask({ attempt, key, question }: AskCall): void {
        const record = this.#records.get(attempt);
        // What is asked inside of a once, or by a frame that is over, comes to nobody.
        if (record === undefined || record.abandoned || this.#scope.getStore()?.inOnce === true) return;
        // A key that the runtime will refuse.
        quietly(() => record.asked(key, question));
    }

    #end({ start, outcome }: RoundEnd): void {
        const record = this.#records.get(start.attempt);
        if (record === undefined) return;
        if (outcome.kind === 'suspended') {
            if (outcome.rests) {
                if (!record.rests) this.counts.parked++;
                record.rests = true;
                return;
            }
            record.sent = outcome.keys;
            for (const found of judgeSuspension(record)) this.#tell(found);
            record.timers.length = 0;
            if (outcome.state !== undefined) this.#remember(outcome.state, record);
        }
        const { replayed } = record;
        if (replayed === undefined) return;
        const reached = outcome.kind !== 'threw' || isDivergence(outcome.error);
        const { equal, findings } = compareReplay(replayed, record, reached);
        this.counts.replays++;
        if (equal) this.counts.equalReplays++;
        for (const found of findings) this.#tell(found);
        // A call of many rounds must not keep all of them.
        record.replayed = undefined;
    }

    #remember(state: string, record: RoundRecord): void {
        this.#waiting.set(state, record);
        if (this.#waiting.size <= MAX_WAITING) return;
        const [oldest] = this.#waiting.keys();
        if (oldest !== undefined) this.#waiting.delete(oldest);
    }
}

/** By name: the server may run on the other copy of the runtime. */
function isDivergence(error: unknown): boolean {
    return error instanceof Error && error.name === 'ReplayDivergedError';
}
