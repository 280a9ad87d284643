import type { ImportRequests } from '../edits/imports.js';
import type { Edit } from '../edits/edit.js';
import type { Facts, OnceFact, SiteFact } from '../facts/facts.js';

/** A rule's description: the documentation of the rule and, through its samples, a test of it. */
export interface RuleMeta {
    id: string;
    summary: string;
    /** What to do by hand where the rule leaves a site, by message id. */
    messages: Readonly<Record<string, string>>;
    samples: readonly { before: string; after: string }[];
}

/** All that is known and decided when rules make their edits. */
export interface Plan {
    facts: Facts;
    /** Sites that are rewritten, with the keys of their questions. */
    keys: ReadonlyMap<string, string>;
    /** Pieces of code that run once per call, with their keys. */
    onceKeys: ReadonlyMap<OnceFact, string>;
    /** Ids of handlers that wait in memory instead of running again. */
    parked: ReadonlySet<string>;
    /** Sites that are left to a person. */
    left: readonly SiteFact[];
    /** Asks whose parameters have a type of the project's own, which the builder does not take: they are cast. */
    cast: ReadonlySet<string>;
    /** Context parameter of a function, by function id. */
    contextOf(functionId: string | undefined): string;
    /** Imports that the edits need; a rule asks, gets the local name, and the import edits are made last. */
    imports: ImportRequests;
    /** What a function of the project's own runtime module is called in a file. */
    runtime: (file: string, name: 'attach' | 'resumable') => string;
    /** Files of edits with the same group are written together or not at all. */
    group: string;
}

/** One kind of rewriting. It sees facts and texts, and returns edits; it never touches a file. */
export interface Rule {
    meta: RuleMeta;
    plan(plan: Plan): Edit[];
}
