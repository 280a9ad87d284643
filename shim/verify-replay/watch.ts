import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';

import { isSuspended } from '../exchange/unwinding.js';
import { askCalls, handlerEnds, onceRuns, roundEnds, roundStarts, runtimeWork, unwinds } from '../handler/channels.js';
import type { AskCall, HandlerEnd, RoundEnd, RoundStart, Unwind } from '../handler/channels.js';
import { callSite } from './call-site.js';
import type { CallSite } from './call-site.js';
import type { Finding } from './findings.js';
import { compareReplay, judgeAbandoned, judgeSuspension, judgeUnwinding } from './judge.js';
import { quietly } from './quietly.js';
import { RoundRecord } from './round-record.js';
import type { Act } from './round-record.js';

/** What an instrument has seen, before it is known whose it is. */
export interface Sighting extends Omit<Act, 'site'> {
    /** What it is where a package does it, whose purpose is not known. */
    readonly kindInPackage?: Act['kind'];
}

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
    /** Their rounds are out; what their frames release is not known yet. */
    readonly #unjudged = new Set<RoundRecord>();

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
        runtimeWork.bindStore(this.#scope, () => undefined);
        askCalls.subscribe(message => this.#ask(message as AskCall));
        unwinds.subscribe(message => {
            const record = this.#records.get((message as Unwind).attempt);
            if (record !== undefined) record.unwinding = true;
        });
        handlerEnds.subscribe(message => this.#handlerEnd(message as HandlerEnd));
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
        if (site !== undefined) this.#did(scope.record, sighting, site);
    }

    /** {@link saw} for what is only of interest where a package does it. */
    sawOfPackage(sighting: Sighting, below: object): void {
        const scope = this.#scope.getStore();
        if (scope === undefined || scope.inOnce) return;
        const site = callSite(below);
        if (site?.via !== undefined) this.#did(scope.record, sighting, site);
    }

    #did(record: RoundRecord, sighting: Sighting, site: CallSite): void {
        const { kindInPackage, ...seen } = sighting;
        const act = { ...seen, kind: site.via === undefined ? seen.kind : (kindInPackage ?? seen.kind), site };
        if (record.unwinding) {
            record.cleanedUp(act);
            const found = judgeUnwinding(record, act);
            if (found !== undefined) this.#tell(found);
        } else if (record.abandoned) {
            const found = judgeAbandoned(record, act);
            if (found !== undefined) this.#tell(found);
        } else {
            record.did(act);
        }
    }

    /** A timer has been set. What packages set is for themselves: the idle time of a connection, the retry of a lock. */
    sawTimer(api: string, alive: () => boolean, below: object): void {
        const scope = this.#scope.getStore();
        if (scope === undefined || scope.inOnce || scope.record.sent !== undefined) return;
        const site = callSite(below);
        if (site !== undefined && site.via === undefined) scope.record.timers.push({ api, alive, site });
    }

    /** Says what there is to say of rounds whose frames have not come to their end. */
    flush(): void {
        for (const record of this.#unjudged) this.#judge(record);
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

    #handlerEnd({ thrown }: HandlerEnd): void {
        const record = this.#scope.getStore()?.record;
        if (record === undefined) return;
        record.over = true;
        if (thrown !== undefined && !isSuspended(thrown.error)) record.threw = true;
        if (record.sent !== undefined) this.#judge(record);
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
            record.suspended(outcome.keys);
            this.#judgeInTime(record);
            if (outcome.state !== undefined) this.#remember(outcome.state, record);
        }
        const { replayed } = record;
        if (replayed === undefined) return;
        // A handler that throws has not come to all that it would have asked, whatever is made of the error.
        const reached = outcome.kind === 'threw' ? isDivergence(outcome.error) : !record.threw;
        const compare = (): void => this.#compare(replayed, record, reached);
        if (this.#unjudged.has(replayed)) replayed.afterwards.push(compare);
        else compare();
        // A call of many rounds must not keep all of them.
        record.replayed = undefined;
    }

    /** When it is known whether the frame unwinds, and if it does when it has: a retry may be faster. */
    #judgeInTime(record: RoundRecord): void {
        this.#unjudged.add(record);
        if (record.over) this.#judge(record);
        else if (!record.unwinding) setImmediate(() => record.unwinding || this.#judge(record)).unref();
        if (this.#unjudged.size <= MAX_WAITING) return;
        const [oldest] = this.#unjudged;
        if (oldest !== undefined) this.#judge(oldest);
    }

    /** Once for each round. */
    #judge(record: RoundRecord): void {
        if (!this.#unjudged.delete(record)) return;
        for (const found of judgeSuspension(record)) this.#tell(found);
        record.timers = [];
        for (const then of record.afterwards.splice(0)) then();
    }

    #compare(recording: RoundRecord, replay: RoundRecord, reached: boolean): void {
        const { equal, findings } = compareReplay(recording, replay, reached);
        this.counts.replays++;
        if (equal) this.counts.equalReplays++;
        for (const found of findings) this.#tell(found);
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
