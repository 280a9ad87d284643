import { Attempt } from '../../../shim/exchange/attempt.js';
import type { AttemptHost, AttemptPolicy, DivergeEvent } from '../../../shim/exchange/attempt-host.js';
import type { Outcome } from '../../../shim/exchange/attempt.js';
import { newJournal, packJournal, unpackJournal } from '../../../shim/exchange/journal.js';
import type { Journal, PackedJournal } from '../../../shim/exchange/journal.js';
import { QuestionMemory } from '../../../shim/exchange/question-memory.js';
import { VirtualTiming } from './virtual-timing.js';

export type Program<T> = (attempt: Attempt, number: number) => T | Promise<T>;

export interface Flow<T> {
    readonly timing: VirtualTiming;
    readonly events: DivergeEvent[];
    /** Runs the program once over the journal of the last round, with these answers. */
    readonly step: (answers?: Record<string, unknown>) => Promise<Outcome<T>>;
    readonly journal: () => Journal;
}

/** Asks a question whose digest is its text. */
export function ask(attempt: Attempt, key: string, text = `${key}?`): Promise<unknown> {
    return attempt.ask(key, { request: { method: 'ask', params: { text } }, digest: text });
}

/**
 * A flow of attempts over one program, in virtual time; between rounds the journal goes through JSON.
 *
 * @param begins whether the resumable handler is reached in the attempt of this number.
 */
export function flowOf<T>(
    program: Program<T>,
    policy: Partial<AttemptPolicy> = {},
    begins: (number: number) => boolean = () => true
): Flow<T> {
    const timing = new VirtualTiming();
    const memory = new QuestionMemory();
    const events: DivergeEvent[] = [];
    let journal = newJournal(() => 'flow');
    let number = 0;
    const host: AttemptHost = {
        timing,
        memory,
        handler: 'Program',
        read: (_request, value) => (value === 'malformed' ? undefined : value),
        refuse: () => undefined,
        pagesOf: () => undefined,
        isFailure: value => value === 'failure',
        onDiverge: event => events.push(event)
    };
    return {
        timing,
        events,
        journal: () => journal,
        async step(answers = {}) {
            const attempt = new Attempt(journal, new Map(Object.entries(answers)), host);
            const running = attempt.run(() => {
                if (begins(++number)) attempt.begin({ settleMs: 0, allowUnclaimed: false, ...policy });
                return program(attempt, number);
            });
            const outcome = await timing.until(running);
            if (outcome.kind === 'suspended') {
                journal = unpackJournal(JSON.parse(JSON.stringify(packJournal(outcome.journal))) as PackedJournal);
            }
            return outcome;
        }
    };
}

/** Keys of the asks with which an attempt was suspended. */
export function suspendedWith(outcome: Outcome<unknown>): string[] | string {
    return outcome.kind === 'suspended' ? outcome.asks.map(({ key }) => key) : outcome.kind;
}
