import type { Node } from 'ts-morph';
import type { Edit } from '../../edits/edit.js';

/** What a 2025-era server does when the handshake is over, made part of the requests that need it. */
export interface LifecycleChange {
    rule: 'roots-lifecycle' | 'late-registration';
    /** The rule and the package. */
    id?: string;
    /** Edits of the upgraded text. They are made together, before the asks are looked at. */
    edits: Edit[];
    /** Sites that a request reaches only with this change; it is taken back where they cannot be rewritten after all. */
    sites: string[];
    /** Sites that go with the code around them. */
    dropped: string[];
    /** What a person should know of it. */
    note: string;
}

/** A reason to leave a hook as it is; thrown while a change is put together, and caught where that began. */
export class NotChangeable extends Error {
    constructor(
        message: string,
        readonly node?: Node
    ) {
        super(message);
        this.name = 'NotChangeable';
    }
}
