import type { AnswerEntry, Asked, Entry, Journal, OnceEntry, OnceOutcome } from './journal.js';
import type { Question } from './question.js';
import { ReleaseQueue } from './release-queue.js';
import type { Timing } from './timing.js';

/** How an answer that arrived with this retry has ended so far (DESIGN rule 8). */
type Fate = 'waiting' | 'claimed' | 'refused' | 'malformed';

const NONE: readonly never[] = [];
const NO_OFFERS: ReadonlyMap<string, unknown> = new Map();

interface RecordedAnswer {
    readonly entry: AnswerEntry;
    /** With the request that the handler runs on now. */
    arrived: boolean;
    fate: Fate;
}

/** An answer was not given because the question under its key is no longer the one that was answered. */
export interface Refusal {
    readonly key: string;
    readonly answered: string;
    readonly now: Question;
}

/**
 * The transcript of one attempt: what earlier rounds recorded, which of it the handler has claimed, and what this
 * attempt adds. It decides which answer belongs to which question; when the handler gets it is the queue's business.
 */
export class Recording {
    #journal: Journal;
    // Made when needed: most calls record none, and a parked frame would keep the empty ones.
    #answers: Map<string, RecordedAnswer> | undefined;
    #onces: Map<string, OnceEntry> | undefined;
    #syncs: Map<string, OnceEntry> | undefined;
    #unreached: Set<Entry> | undefined;
    #released: Entry[] | undefined;
    #refusals: Refusal[] | undefined;
    /** Answers of a first call, which nobody has asked for yet. */
    #offers: ReadonlyMap<string, unknown>;
    readonly queue: ReleaseQueue;

    constructor(journal: Journal, arrivals: ReadonlyMap<string, unknown>, timing: Timing, patienceMs: number) {
        this.#journal = journal;
        this.#offers = journal.round === 0 ? arrivals : NO_OFFERS;
        this.queue = new ReleaseQueue(journal.entries, timing, patienceMs);
        for (const entry of [...journal.entries, ...journal.held]) {
            if (entry.kind === 'once') (this.#onces ??= new Map()).set(entry.key, entry);
            else this.#note({ entry, arrived: false, fate: 'waiting' });
            this.#expect(entry);
        }
        for (const entry of journal.syncs) (this.#syncs ??= new Map()).set(entry.key, entry);
        this.#accept(arrivals);
    }

    /** The client has answered the round of {@link rest}, and the frame goes on where it is. */
    arrive(arrivals: ReadonlyMap<string, unknown>): void {
        for (const answer of this.#answers?.values() ?? NONE) answer.arrived = false;
        this.#offers = NO_OFFERS;
        this.#accept(arrivals);
    }

    /**
     * The recorded answer to this question. `read` returns the value as the handler shall see it, or `undefined` if it
     * has the wrong shape for the question: then it counts as missing and is asked again.
     *
     * An answer under the same key to *another* question is refused and dropped, and `onRefused` is called.
     */
    claim(
        key: string,
        question: Question,
        read: (value: unknown) => unknown,
        onRefused: () => void
    ): AnswerEntry | undefined {
        const recorded = this.#answers?.get(key);
        if (recorded === undefined) return this.#takeOffer(key, question, read);
        if (recorded.entry.digest !== question.digest) {
            recorded.fate = 'refused';
            this.#forget(recorded.entry);
            (this.#refusals ??= []).push({ key, answered: recorded.entry.digest, now: question });
            onRefused();
            return undefined;
        }
        if (read(recorded.entry.value) === undefined) {
            recorded.fate = 'malformed';
            this.#forget(recorded.entry);
            return undefined;
        }
        recorded.fate = 'claimed';
        return recorded.entry;
    }

    once(key: string): OnceEntry | undefined {
        return this.#onces?.get(key);
    }

    sync(key: string): OnceOutcome | undefined {
        return this.#syncs?.get(key)?.outcome;
    }

    recordSync(key: string, outcome: OnceOutcome): void {
        (this.#syncs ??= new Map()).set(key, { kind: 'once', key, outcome });
    }

    /** The handler gets this entry now: its place in the order is settled for all later attempts. */
    release(entry: Entry): void {
        this.#unreached?.delete(entry);
        (this.#released ??= []).push(entry);
    }

    /** Whether this entry came with this retry, and has not been seen by an earlier attempt. */
    isArrival(entry: Entry): boolean {
        return entry.kind === 'answer' && this.#answers?.get(entry.key)?.arrived === true;
    }

    wasAsked(key: string, digest: string): boolean {
        return this.#journal.asked.some(asked => asked.key === key && asked.digest === digest);
    }

    /** Answers of this retry that the handler has not come to (yet). */
    unclaimedArrivals(): Asked[] {
        return this.#arrivals()
            .filter(({ fate }) => fate === 'waiting')
            .map(({ entry }) => ({ key: entry.key, digest: entry.digest }));
    }

    refusals(): readonly Refusal[] {
        return this.#refusals ?? NONE;
    }

    /** Older entries that the handler has left behind. */
    unreached(): Entry[] {
        return [...(this.#unreached ?? NONE)];
    }

    /** The journal to seal with the next round, in which `asked` goes to the client. */
    next(asked: readonly Asked[]): Journal {
        return this.#successor({ asked, pages: NONE, stalls: this.#stalls() });
    }

    /** The frame rests with this round, and {@link arrive} will bring the answers to it. */
    rest(journal: Journal): void {
        const { id, round, asked, pages, stalls } = journal;
        // Of the rest the frame has its own record, and goes on with that. Not a copy by `...`: each has a shape of its own.
        this.#journal = { id, round, asked, pages, stalls, entries: NONE, held: NONE, syncs: NONE };
    }

    /**
     * {@link next} for a round that sends the user to pages. What arrived and was not claimed is held and no stall: the
     * handler did not ask something else, it could not go on.
     */
    nextForPages(pages: readonly string[]): Journal {
        return this.#successor({ asked: [], pages, stalls: this.#journal.stalls });
    }

    /**
     * Whether the handler has everything again that it had when it threw for a page. After such a round no question of
     * the last one tells where new ground begins.
     */
    get caughtUpWithPages(): boolean {
        return (
            this.#journal.pages.length > 0 && this.#journal.entries.every(entry => this.#unreached?.has(entry) !== true)
        );
    }

    #successor(round: Pick<Journal, 'asked' | 'pages' | 'stalls'>): Journal {
        return {
            id: this.#journal.id,
            round: this.#journal.round + 1,
            entries: [...(this.#released ?? NONE)],
            held: this.unreached(),
            syncs: [...(this.#syncs?.values() ?? [])],
            ...round
        };
    }

    /** From then on it is an answer like others. One that nobody takes is ignored: it has no question to come back to. */
    #takeOffer(key: string, question: Question, read: (value: unknown) => unknown): AnswerEntry | undefined {
        if (!this.#offers.has(key) || read(this.#offers.get(key)) === undefined) return undefined;
        const entry: AnswerEntry = { kind: 'answer', key, digest: question.digest, value: this.#offers.get(key) };
        this.#note({ entry, arrived: true, fate: 'claimed' });
        this.#expect(entry);
        return entry;
    }

    /** Only asked keys are accepted, and answers that are recorded win over ones that are sent again (DESIGN rule 6). */
    #accept(arrivals: ReadonlyMap<string, unknown>): void {
        for (const { key, digest } of this.#journal.asked) {
            const known = this.#answers?.get(key);
            if (!arrivals.has(key) || (known !== undefined && known.fate !== 'malformed')) continue;
            const entry: AnswerEntry = { kind: 'answer', key, digest, value: arrivals.get(key) };
            this.#note({ entry, arrived: true, fate: 'waiting' });
            this.#expect(entry);
        }
    }

    #note(answer: RecordedAnswer): void {
        (this.#answers ??= new Map()).set(answer.entry.key, answer);
    }

    /** The handler has not got this entry yet. */
    #expect(entry: Entry): void {
        (this.#unreached ??= new Set()).add(entry);
    }

    #arrivals(): RecordedAnswer[] {
        return [...(this.#answers?.values() ?? NONE)].filter(({ arrived, fate }) => arrived && fate !== 'malformed');
    }

    #held(): RecordedAnswer[] {
        return [...(this.#answers?.values() ?? NONE)].filter(({ entry }) => this.#journal.held.includes(entry));
    }

    #stalls(): number {
        const arrivals = this.#arrivals();
        if (arrivals.length === 0) return this.#journal.stalls;
        // A held answer that has found its question is progress too, if this retry's own have to wait once more.
        const progress = [...arrivals, ...this.#held()].some(({ fate }) => fate === 'claimed');
        return progress ? 0 : this.#journal.stalls + 1;
    }

    #forget(entry: AnswerEntry): void {
        this.#unreached?.delete(entry);
        this.queue.drop(entry);
    }
}
