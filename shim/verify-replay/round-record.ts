import { KeyAllocator } from '../exchange/keys.js';
import type { Question } from '../exchange/question.js';
import type { CallSite } from './call-site.js';

/**
 * Something that a handler did outside of `ctx.once`. `effect`: it changes something outside of the process. `read`: it
 * learns something from there. `traffic`: it uses a connection that was open, for one or the other. `volatile`: it
 * takes a value that is another one in the next round.
 */
export interface Act {
    readonly kind: 'effect' | 'read' | 'traffic' | 'volatile';
    /** As its author calls it: `fs.writeFile`. */
    readonly api: string;
    /** What it was done to: a path, a method and an address without its query, a command without its arguments. */
    readonly target?: string | undefined;
    readonly site: CallSite;
}

export interface Asked {
    readonly kind: 'ask';
    /** With its occurrence, as in `inputRequests`. */
    readonly key: string;
    readonly question: Question;
}

export interface LiveTimer extends Pick<Act, 'api' | 'site'> {
    readonly alive: () => boolean;
}

/** Enough for any handler that a person wrote; a loop of a million reads must not fill the memory. */
const MAX_ENTRIES = 10_000;

/** What a handler did and asked in one attempt, in the order in which it did. */
export class RoundRecord {
    readonly handler: string;
    /** 1 for the first run of the handler in a call. */
    readonly attempt: number;
    /** The attempt that this one replays, until they are compared. */
    replayed: RoundRecord | undefined;
    readonly entries: (Act | Asked)[] = [];
    timers: LiveTimer[] = [];
    /** What its frame has done to release what it holds, under `onSuspend: 'unwind'`. */
    readonly released: Act[] = [];
    /** Its open asks have been rejected for that. */
    unwinding = false;
    /** The handler has ended. */
    over = false;
    /** What waits for its judgement. */
    readonly afterwards: (() => void)[] = [];
    /** It ended with an error, and not with the one that unwinds it. */
    threw = false;
    /** The keys of the round that it ended with; `undefined` before that, and if it ended otherwise. */
    sent: readonly string[] | undefined;
    /** It waits in memory: nothing of it runs again. */
    rests = false;
    readonly #keys = new KeyAllocator();

    constructor(handler: string, attempt: number, replayed: RoundRecord | undefined) {
        this.handler = handler;
        this.attempt = attempt;
        this.replayed = replayed;
    }

    /** What is still recorded when the round is out is done by a frame that nobody waits for. */
    get abandoned(): boolean {
        return this.sent !== undefined && !this.rests;
    }

    did(act: Act): void {
        if (this.entries.length < MAX_ENTRIES) this.entries.push(act);
    }

    cleanedUp(act: Act): void {
        if (act.kind === 'effect' && this.released.length < MAX_ENTRIES) this.released.push(act);
    }

    /** Its round is out; timers that are over by now are of no interest. */
    suspended(keys: readonly string[]): void {
        this.sent = keys;
        this.timers = this.timers.filter(timer => timer.alive());
    }

    asked(authorKey: string, question: Question): void {
        this.entries.push({ kind: 'ask', key: this.#keys.allocate(authorKey), question });
    }

    asks(): Asked[] {
        return this.entries.filter(entry => entry.kind === 'ask');
    }

    /** What it did, up to the last of these questions if any are given. */
    acts(until?: ReadonlySet<string>): Act[] {
        const last = until && this.entries.findLastIndex(entry => entry.kind === 'ask' && until.has(entry.key));
        return this.entries.slice(0, last === undefined ? undefined : last + 1).filter(entry => entry.kind !== 'ask');
    }
}
