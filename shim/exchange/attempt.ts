import type { AttemptHost, AttemptPolicy, DivergeEvent } from './attempt-host.js';
import { divergences } from './divergences.js';
import { AskInsideOnceError, ReplayDivergedError } from './errors.js';
import type { Entry, Journal } from './journal.js';
import { KeyAllocator } from './keys.js';
import { insideOnce, replayOutcome, runOnce, runOnceSync } from './once.js';
import { OpenAsks } from './open-asks.js';
import type { OpenAsk } from './open-asks.js';
import { never, quietRejection, unawaited } from './promises.js';
import type { Question } from './question.js';
import { Quiescence } from './quiescence.js';
import { Recording } from './recording.js';
import { SuspendedError, Unwinding } from './unwinding.js';

export type Outcome<T> =
    | { readonly kind: 'finished'; readonly value: T }
    | { readonly kind: 'threw'; readonly error: unknown }
    /** An error of ours that must not pass through user code: it goes to the client as a JSON-RPC error. */
    | { readonly kind: 'failed'; readonly error: Error }
    /** The handler let the refusal of an ask escape: the client is told which capability it lacks. */
    | { readonly kind: 'refused'; readonly ask: OpenAsk }
    | {
          readonly kind: 'suspended';
          readonly asks: readonly OpenAsk[];
          readonly journal: Journal;
          /** The frame waits in memory for the answers. */
          readonly rests: boolean;
      };

/**
 * `resting`: the round has been sent, and the frame waits for the next request. `left`: it is abandoned, and another
 * attempt takes its place. `done`: the call has its answer, and what the handler has left running is its own affair.
 * `unwinding` and `expired`: the frame is over, and only runs its own clean-up.
 */
type Phase = 'running' | 'resting' | 'left' | 'done' | 'unwinding' | 'expired';

/** Names the pages of a round. Their answers are given to no question, so the name is taken from the handler's. */
const PAGE_KEY = 'open-url';

/** How long an answer is waited for before a further round: a cold second instance is slow, not wrong. */
const CLAIM_MS = 1000;

/** A stall is a retry that brought answers and claimed none; the second in a row ends the flow. */
const MAX_STALLS = 2;

/** A loop that swallows what it is told must come to an end. */
const MAX_LATE_REJECTIONS = 16;

/**
 * One run of a handler over a journal. Asks that have a recorded answer get it, in recorded order; the others stay
 * open, and when nothing moves any more the attempt ends with all of them as one round (DESIGN rules 1 to 9).
 *
 * After its end an attempt is inert: its asks and onces never settle, so nothing of the abandoned frame goes on
 * (rule 13). Under the policy `rest` it does not end with its round: the next request runs it on with {@link run}, and
 * {@link deliver} gives it the answers (rule 11).
 */
export class Attempt {
    readonly #host: AttemptHost;
    readonly #recording: Recording;
    readonly #quiescence: Quiescence;
    readonly #askKeys = new KeyAllocator();
    readonly #onceKeys = new KeyAllocator();
    readonly #open = new OpenAsks();
    #refusedAsks: WeakMap<Error, OpenAsk> | undefined;
    #policy: AttemptPolicy = { settleMs: 0, allowUnclaimed: false };
    #end: ((outcome: Outcome<never>) => void) | undefined;
    #phase: Phase = 'running';
    #unwinding: Unwinding | undefined;
    #begun = false;
    #threw = false;
    #escaped: OpenAsk | undefined;
    #pages: readonly Question[] | undefined;
    /** What asks reject with that come when the frame has expired, and how many of them may still do so. */
    #expiry: { readonly reason: (ask: OpenAsk) => Error; left: number } | undefined;
    #onProgress: (() => void) | undefined;
    #replaying: boolean;
    #round: number;

    /**
     * @param arrivals the `inputResponses` of this retry, by key. Those of a first call are given to whatever is asked
     * under their keys.
     */
    constructor(journal: Journal, arrivals: ReadonlyMap<string, unknown>, host: AttemptHost) {
        this.#host = host;
        this.#round = journal.round;
        this.#recording = new Recording(journal, arrivals, host.timing, CLAIM_MS);
        this.#replaying = journal.round > 0 && !this.#recording.caughtUpWithPages;
        this.#quiescence = new Quiescence(host.timing, CLAIM_MS, this.#open, this.#recording, () => this.#suspend());
    }

    /** Whether the handler still walks over ground that an earlier attempt has covered. */
    get replaying(): boolean {
        return this.#replaying && this.#phase === 'running';
    }

    /** How many rounds came before the present one: 0 on the first. */
    get round(): number {
        return this.#round;
    }

    /** Whether this attempt is over, and its frame abandoned or finished. */
    get ended(): boolean {
        return this.#phase !== 'running' && this.#phase !== 'resting';
    }

    /** Whether the resumable handler has been reached. */
    get begun(): boolean {
        return this.#begun;
    }

    /** Whether the frame is over for good and may still run: its clean-up, or what it does beside the call. */
    get outlives(): boolean {
        return this.#phase === 'unwinding' || this.#phase === 'expired' || this.#phase === 'done';
    }

    /**
     * Runs `start` until it finishes, or until all it waits for are answers of the client. If an attempt rests, `start`
     * is the next request on its way to the frame; should it not get there, the frame goes on resting.
     */
    run<T>(start: () => T | PromiseLike<T>): Promise<Outcome<T>> {
        return new Promise(resolve => {
            const end = (outcome: Outcome<T>): void => {
                // Of a round that is over nothing counts any more.
                if (this.#end !== end) return;
                this.#end = undefined;
                if (outcome.kind === 'suspended' && outcome.rests) this.#phase = 'resting';
                else if (this.#phase === 'running') this.#stop(outcome.kind);
                resolve(outcome);
            };
            this.#end = end;
            this.#play(start, end).catch((error: unknown) => end({ kind: 'threw', error }));
        });
    }

    /** Awaits no more than it has to: every promise costs, and most calls ask nothing. */
    async #play<T>(start: () => T | PromiseLike<T>, end: (outcome: Outcome<T>) => void): Promise<void> {
        try {
            const value = await start();
            const verdict = this.#verdict(value);
            end(verdict instanceof Promise ? await verdict : verdict);
        } catch (error) {
            end((await this.#escape()) ?? { kind: 'threw', error });
        }
    }

    /** The resumable handler starts, under its own policy. */
    begin(policy: AttemptPolicy): void {
        this.#begun = true;
        this.#policy = policy;
        this.#quiescence.settleMs = policy.settleMs;
        this.#quiescence.rests = policy.onSuspend === 'rest';
    }

    /** The next request has reached the frame: the asks that it answers get their answers, and the others stay open. */
    deliver(arrivals: ReadonlyMap<string, unknown>): void {
        if (this.#phase !== 'resting') return;
        this.#phase = 'running';
        this.#round++;
        this.#recording.arrive(arrivals);
        for (const { key, question } of this.#open.list()) {
            const answer = this.#claim(key, question);
            if (answer !== undefined) this.#open.answer(key, answer);
        }
        this.#quiescence.moved();
        this.#quiescence.watch();
    }

    /**
     * Ends a frame that no request will come back to. Its open asks reject, once, so that its own clean-up runs, or its
     * next ask if none is open; the ones that it opens later never settle (DESIGN rule 11).
     */
    expire(reason: (ask: OpenAsk) => Error): void {
        if (this.ended && this.#phase !== 'done') return;
        // Of a handler that works, the next ask ends it. Of one that has its answer, each branch ends at its own.
        if (this.#phase === 'done') this.#expiry = { reason, left: MAX_LATE_REJECTIONS };
        else if (this.#open.size === 0) this.#expiry = { reason, left: 1 };
        this.#phase = 'expired';
        this.#quiescence.stop();
        this.#open.rejectAll(ask => this.#lastError(reason(ask)));
    }

    /** The resumable handler threw; whatever becomes of the error above it, this is no success. */
    noteThrow(error: unknown): void {
        this.#threw = true;
        if (error instanceof Error) this.#escaped = this.#refusedAsks?.get(error);
        this.#pages = this.#host.pagesOf(error);
    }

    /** Ends the attempt with an error that no user code may see. */
    fail(error: Error): void {
        this.#end?.({ kind: 'failed', error });
    }

    /**
     * Asks the client. The key is allocated before the function returns; the promise settles with the answer, with a
     * refusal, or never.
     */
    ask(authorKey: string, question: Question): Promise<unknown> {
        if (insideOnce(this)) return quietRejection(new AskInsideOnceError(authorKey));
        if (this.ended || this.#quiescence.closing) return this.#askTooLate({ key: authorKey, question });
        const key = this.#askKeys.allocate(authorKey);
        this.#quiescence.moved();
        const recorded = this.#claim(key, question);
        if (recorded !== undefined) return recorded;
        const refusal = this.#host.refuse(question.request);
        if (refusal !== undefined) {
            (this.#refusedAsks ??= new WeakMap()).set(refusal, { key, question });
            return quietRejection(refusal);
        }
        if (!this.#recording.wasAsked(key, question.digest)) this.#replaying = false;
        const answer = this.#open.open(key, asSent(question));
        // While the frame rests no request is there to carry a round: the next one takes this ask along.
        if (this.#phase === 'running') this.#quiescence.watch();
        return answer;
    }

    /** Runs `fn` once per flow and returns the JSON copy of its result on every attempt, the first included. */
    once(authorKey: string, fn: () => unknown): Promise<unknown> {
        // Inside another once it runs as part of that one, which is recorded as a whole. So does what runs in a frame that
        // will not run again.
        if (insideOnce(this) || this.#phase === 'expired' || this.#phase === 'done') {
            return runOnce(this, authorKey, fn).then(replayOutcome);
        }
        if (this.ended || this.#quiescence.closing) {
            return this.#unwinding?.refuse(error => this.#lastError(error)) ?? never();
        }
        const key = this.#onceKeys.allocate(authorKey);
        this.#quiescence.moved();
        const recorded = this.#recording.once(key);
        if (recorded !== undefined) return this.#released(recorded, () => replayOutcome(recorded.outcome));
        this.#replaying = false;
        return this.#quiescence.during(async () => {
            const outcome = await runOnce(this, authorKey, fn);
            this.#recording.release({ kind: 'once', key, outcome });
            return replayOutcome(outcome);
        });
    }

    /** {@link once} for synchronous code. In an abandoned frame it runs `fn`, for it has no way to wait. */
    onceSync(authorKey: string, fn: () => unknown): unknown {
        if (this.#unwinding !== undefined) throw new SuspendedError();
        if (insideOnce(this) || this.ended) return replayOutcome(runOnceSync(this, authorKey, fn));
        const key = this.#onceKeys.allocate(authorKey);
        const recorded = this.#recording.sync(key);
        if (recorded !== undefined) return replayOutcome(recorded);
        this.#quiescence.moved();
        const outcome = runOnceSync(this, authorKey, fn);
        this.#recording.recordSync(key, outcome);
        return replayOutcome(outcome);
    }

    /** An ask of a frame that is over. */
    #askTooLate(ask: OpenAsk): Promise<unknown> {
        if (this.#expiry !== undefined && this.#expiry.left-- > 0) {
            return quietRejection(this.#lastError(this.#expiry.reason(ask)));
        }
        // A frame that has its answer and stays in memory is about to expire.
        if (this.#phase === 'done' && this.#policy.onSuspend === 'rest') return this.#open.open(ask.key, ask.question);
        return this.#unwinding?.refuse(error => this.#lastError(error)) ?? never();
    }

    /** What a frame that is over is told may reach a branch that nobody awaits any more. */
    #lastError<E extends Error>(error: E): E {
        this.#host.mayGoUnhandled?.(error);
        return error;
    }

    /** The recorded answer to this question, when its turn has come; `undefined` if there is none. */
    #claim(key: string, question: Question): Promise<unknown> | undefined {
        const read = (value: unknown): unknown => this.#host.read(question.request, value);
        const entry = this.#recording.claim(key, question, read, () => this.#tell('refused', key));
        this.#onProgress?.();
        if (entry === undefined) return undefined;
        const { accept } = question;
        return unawaited(
            this.#released(entry, () => (accept === undefined ? read(entry.value) : accept(read(entry.value))))
        );
    }

    #released(entry: Entry, value: () => unknown): Promise<unknown> {
        return new Promise<unknown>((resolve, reject) => {
            this.#recording.queue.want(entry, () => {
                this.#recording.release(entry);
                this.#onProgress?.();
                if (this.#recording.isArrival(entry) || this.#recording.caughtUpWithPages) this.#replaying = false;
                this.#quiescence.moved();
                try {
                    resolve(value());
                } catch (error) {
                    reject(error instanceof Error ? error : new Error(String(error)));
                }
            });
        });
    }

    /** What a handler that has finished comes to. */
    #verdict<T>(value: T): Outcome<T> | Promise<Outcome<T>> {
        // The request has not come as far as the frame.
        if (this.#phase === 'resting') return { kind: 'finished', value };
        const escaped = this.#escape();
        if (escaped !== undefined) return Promise.resolve(escaped);
        // From here on the result wins over whatever is still open.
        this.#quiescence.stop();
        const failed = this.#threw || (!this.#begun && this.#host.isFailure(value));
        if (failed || this.#policy.allowUnclaimed || this.#recording.unclaimedArrivals().length === 0) {
            return this.#finished(value);
        }
        return this.#allClaimed().then(claimed =>
            claimed ? this.#finished(value) : { kind: 'failed', error: this.#diverged('finished') }
        );
    }

    #finished<T>(value: T): Outcome<T> {
        for (const entry of this.#recording.unreached()) {
            if (entry.kind === 'answer') this.#tell('left', entry.key);
        }
        return { kind: 'finished', value };
    }

    /**
     * Whether every answer of this retry is claimed before nothing has been asked and answered for {@link CLAIM_MS}: a
     * branch that lost a race may still be on its way to the question. A handler that finished without that may not be
     * believed (DESIGN rule 8): a "no" must not be ignored.
     */
    #allClaimed(): Promise<boolean> {
        return new Promise(resolve => {
            let cancel: (() => void) | undefined;
            this.#onProgress = () => {
                cancel?.();
                if (this.#recording.unclaimedArrivals().length === 0) resolve(true);
                else cancel = this.#host.timing.after(CLAIM_MS, () => resolve(false));
            };
            this.#onProgress();
        });
    }

    /** What becomes of an error that is not the client's to see, however the code above the handler has taken it. */
    #escape(): Outcome<never> | Promise<Outcome<never>> | undefined {
        if (this.#escaped !== undefined) return { kind: 'refused', ask: this.#escaped };
        return this.#pages && this.#sendTo(this.#pages);
    }

    async #sendTo(pages: readonly Question[]): Promise<Outcome<never>> {
        // The handler starts again after the pages, and would run what is cut here a second time.
        await this.#quiescence.close();
        const asks = pages.map(question => ({ key: this.#askKeys.allocate(PAGE_KEY), question }));
        const refused = asks.find(({ question }) => this.#host.refuse(question.request) !== undefined);
        if (refused !== undefined) return { kind: 'refused', ask: refused };
        const journal = this.#recording.nextForPages(asks.map(({ key }) => key));
        return { kind: 'suspended', asks, journal, rests: false };
    }

    #suspend(): void {
        const { onSuspend } = this.#policy;
        const asks = this.#open.list();
        const journal = this.#recording.next(asks.map(({ key, question }) => ({ key, digest: question.digest })));
        if (journal.stalls >= MAX_STALLS) {
            this.fail(this.#diverged('stalled'));
            return;
        }
        for (const { key } of this.#recording.unclaimedArrivals()) this.#tell('held', key);
        for (const { question } of asks) this.#host.memory.remember(question);
        const rests = onSuspend === 'rest';
        if (rests) this.#recording.rest(journal);
        this.#end?.({ kind: 'suspended', asks, journal, rests });
        if (onSuspend === 'unwind') this.#unwind();
    }

    /** The round is captured: whatever the frame does from here on cannot change it. */
    #unwind(): void {
        this.#phase = 'unwinding';
        this.#unwinding = new Unwinding(this.#host.timing);
        // In this turn: what the frame holds is released before the client can come back.
        this.#open.rejectAll(() => this.#lastError(new SuspendedError()));
    }

    #stop(outcome: Outcome<never>['kind']): void {
        // A handler whose questions have changed is stopped where it is.
        this.#phase = outcome === 'suspended' || outcome === 'failed' ? 'left' : 'done';
        this.#quiescence.stop();
        const { onSuspend = 'abandon' } = this.#policy;
        // Branches that are not abandoned get what they are about to be given, and end at their next ask.
        if (this.#phase === 'left' || onSuspend === 'abandon') this.#recording.queue.stop();
        if (onSuspend !== 'unwind' || outcome === 'suspended') return;
        if (this.#phase === 'done') this.expire(() => new SuspendedError());
        else this.#unwind();
    }

    #diverged(reason: 'stalled' | 'finished'): ReplayDivergedError {
        return new ReplayDivergedError(this.#host.handler, reason, divergences(this.#recording, this.#host.memory));
    }

    #tell(kind: DivergeEvent['kind'], key: string): void {
        this.#host.onDiverge?.({ handler: this.#host.handler, kind, key });
    }
}

/** The question as it is now: what it was made of may have changed when the round is sent, as pushed requests do not. */
function asSent(question: Question): Question {
    return { ...question, request: JSON.parse(JSON.stringify(question.request)) as Question['request'] };
}
