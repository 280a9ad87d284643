/**
 * What a flow has recorded so far: the plain text of `requestState`. `inputResponses` are replaced every round, so the
 * journal carries the whole transcript; of the questions it carries digests only (DESIGN rule 7).
 */
export interface Journal {
    /** Random name of the flow, the same in all of its rounds. */
    readonly id: string;
    /** How many times this flow has asked the client; 0 before the first round. */
    readonly round: number;
    /** The questions of the last round, in the order in which they were asked. */
    readonly asked: readonly Asked[];
    /** Keys of the pages that the last round sent the user to, because the handler threw for them (DESIGN rule 18). */
    readonly pages: readonly string[];
    /** Claimed answers and `once` outcomes in the order in which they were given to the handler. */
    readonly entries: readonly Entry[];
    /** Entries that the handler has not reached (again) yet: they wait outside the order (DESIGN rule 8). */
    readonly held: readonly Entry[];
    /** Outcomes of `onceSync`, which no order applies to. */
    readonly syncs: readonly OnceEntry[];
    /** Retries in a row that brought answers of which none was claimed. */
    readonly stalls: number;
}

export interface Asked {
    readonly key: string;
    readonly digest: string;
}

export type Entry = AnswerEntry | OnceEntry;

export interface AnswerEntry {
    readonly kind: 'answer';
    readonly key: string;
    readonly digest: string;
    /** JSON. */
    readonly value: unknown;
}

export interface OnceEntry {
    readonly kind: 'once';
    readonly key: string;
    readonly outcome: OnceOutcome;
}

/** How a `once` ended: `value` is JSON, or `undefined` as `void` functions return it. */
export type OnceOutcome = { readonly value: unknown } | { readonly failure: OnceFailure };

export interface OnceFailure {
    readonly name: string;
    readonly message: string;
    readonly code?: string | number;
}

/** The journal of a call that has not asked anything yet. Most never do, so `makeId` is called when the id is needed. */
export function newJournal(makeId: () => string): Journal {
    let id: string | undefined;
    return {
        get id() {
            return (id ??= makeId());
        },
        round: 0,
        asked: [],
        pages: [],
        entries: [],
        held: [],
        syncs: [],
        stalls: 0
    };
}

/**
 * Short form for the wire: every byte travels through the client on every retry (the size rule allows 60 bytes for an
 * entry).
 */
export interface PackedJournal {
    i: string;
    n: number;
    q?: [key: string, digest: string][];
    u?: string[];
    e?: PackedEntry[];
    h?: PackedEntry[];
    s?: PackedEntry[];
    x?: number;
}

type PackedEntry =
    | ['a', key: string, digest: string, value: unknown]
    | ['o', key: string, value?: unknown]
    | ['f', key: string, OnceFailure];

export function packJournal(journal: Journal): PackedJournal {
    return {
        i: journal.id,
        n: journal.round,
        ...(journal.asked.length > 0 && { q: journal.asked.map(({ key, digest }): [string, string] => [key, digest]) }),
        ...(journal.pages.length > 0 && { u: [...journal.pages] }),
        ...(journal.entries.length > 0 && { e: journal.entries.map(packEntry) }),
        ...(journal.held.length > 0 && { h: journal.held.map(packEntry) }),
        ...(journal.syncs.length > 0 && { s: journal.syncs.map(packEntry) }),
        ...(journal.stalls > 0 && { x: journal.stalls })
    };
}

/** Reads what {@link packJournal} wrote; the seal vouches for the shape. */
export function unpackJournal(packed: PackedJournal): Journal {
    return {
        id: packed.i,
        round: packed.n,
        asked: (packed.q ?? []).map(([key, digest]) => ({ key, digest })),
        pages: packed.u ?? [],
        entries: (packed.e ?? []).map(unpackEntry),
        held: (packed.h ?? []).map(unpackEntry),
        syncs: (packed.s ?? []).map(unpackEntry).filter(entry => entry.kind === 'once'),
        stalls: packed.x ?? 0
    };
}

function packEntry(entry: Entry): PackedEntry {
    if (entry.kind === 'answer') return ['a', entry.key, entry.digest, entry.value];
    if ('failure' in entry.outcome) return ['f', entry.key, entry.outcome.failure];
    return entry.outcome.value === undefined ? ['o', entry.key] : ['o', entry.key, entry.outcome.value];
}

function unpackEntry(packed: PackedEntry): Entry {
    switch (packed[0]) {
        case 'a':
            return { kind: 'answer', key: packed[1], digest: packed[2], value: packed[3] };
        case 'o':
            return { kind: 'once', key: packed[1], outcome: { value: packed[2] } };
        case 'f':
            return { kind: 'once', key: packed[1], outcome: { failure: packed[2] } };
    }
}
