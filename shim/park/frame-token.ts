import { newJournal, packJournal } from '../exchange/journal.js';
import type { Journal, PackedJournal } from '../exchange/journal.js';

/** The plain text of a state that names a parked frame: with the transcript if it may be replayed, else without. */
export interface PackedToken extends PackedJournal {
    /** Instance that holds the frame. */
    f: string;
    /** There is a transcript; else only the questions of the last round. */
    r?: 1;
}

export interface FrameToken {
    readonly instance: string;
    readonly flow: string;
    /** How many rounds the frame had sent, this one included. */
    readonly round: number;
    readonly replayable: boolean;
}

export function packToken(instance: string, journal: Journal, replayable: boolean): PackedToken {
    return replayable
        ? { ...packJournal(journal), f: instance, r: 1 }
        : {
              ...packJournal({ ...newJournal(() => journal.id), round: journal.round, asked: journal.asked }),
              f: instance
          };
}

/** The frame that this payload names; `undefined` if it is the journal of a handler that is not parked. */
export function readToken(payload: PackedJournal & Partial<PackedToken>): FrameToken | undefined {
    if (payload.f === undefined) return undefined;
    return { instance: payload.f, flow: payload.i, round: payload.n, replayable: payload.r === 1 };
}
