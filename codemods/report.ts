/**
 * What a migration reports. This is the JSON of `mcp-mrtr migrate --json`; every position is of the original file:
 * lines and columns count from 1, paths are relative to the working folder and POSIX.
 */

/** What the server asked for: a form, a page, a completion, the roots; or signalled: a page is done, a page is needed. */
export type SiteKind = 'elicit' | 'elicitUrl' | 'sample' | 'roots' | 'complete' | 'urlRequired';

/**
 * Where a push call ends up. `migrated`: rewritten. `review`: rewritten, a person should look (see `reason`).
 * `manual`: left as it was, behind an `@mcp-mrtr-todo` comment. `skipped`: not the project's push call to migrate.
 */
export type SiteStatus = 'migrated' | 'review' | 'manual' | 'skipped';

export interface SiteReport {
    /** Stable within one report: `s1`, `s2`, … in order of file and position. */
    id: string;
    file: string;
    line: number;
    column: number;
    endLine: number;
    kind: SiteKind;
    /** The callee as it was written, e.g. `server.server.elicitInput`. */
    api: string;
    status: SiteStatus;
    /** Id of the rule that decided. */
    rule: string;
    /** Why it is `review`, `manual` or `skipped`; empty for `migrated`. */
    reason: string;
    /** The key given to `ctx.need`; absent where nothing was rewritten. */
    key?: string;
    /** How the handler suspends, where the site was rewritten. */
    mode?: 'replay' | 'park';
    /** Sites with the same group are rewritten together or not at all. */
    group?: string;
    /** The handlers from which the call is reached. */
    reach: { handler: string; status: SiteStatus }[];
}

export type DiagnosticLevel = 'error' | 'warning' | 'info';

/** A message about a file (or the project) that is not about one push call. */
export interface Diagnostic {
    level: DiagnosticLevel;
    /** Message id, e.g. `sdk-upgrade`, `syntax-error`, `zod-raised`. */
    code: string;
    message: string;
    file?: string;
    line?: number;
}

export interface FileReport {
    path: string;
    changed: boolean;
    /** Number of text edits of our own in this file, beside the SDK upgrade. */
    edits: number;
}

export interface TypeErrorCounts {
    before: number;
    afterSdkUpgrade: number;
    after: number;
}

export interface MigrationReport {
    version: 1;
    files: FileReport[];
    sites: SiteReport[];
    diagnostics: Diagnostic[];
    summary: {
        byStatus: Record<SiteStatus, number>;
        byKind: Partial<Record<SiteKind, number>>;
        /** Absent when the project could not be type-checked; a diagnostic says why. */
        typeErrors?: TypeErrorCounts;
    };
}

/** Levels of the lint: `error` breaks on 2026-07-28, `warning` is a hazard, `note` is worth knowing. */
export type FindingLevel = 'error' | 'warning' | 'note';

/** Another place that belongs to a finding: the ask behind an effect, a call on the way from a handler. */
export interface RelatedPlace {
    file: string;
    line: number;
    column: number;
    endLine: number;
    endColumn: number;
    message: string;
}

/** One finding of `mcp-mrtr check`. Positions are 1-based, ends exclusive; files are relative to the working folder and POSIX. */
export interface Finding {
    rule: string;
    messageId: string;
    file: string;
    line: number;
    column: number;
    endLine: number;
    endColumn: number;
    level: FindingLevel;
    message: string;
    related: RelatedPlace[];
    /** The same for the same finding when lines around it come and go. */
    fingerprint: string;
    /** A comment in the code allows it; such findings are in no count. */
    suppressed?: { reason: string };
}
