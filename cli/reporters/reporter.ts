import type { Palette } from '../palette.js';
import type { Diagnostic, FileChange, Finding, MigrationReport } from '../../codemods/index.js';

/** Every reporter turns one outcome into text; the command decides where the text goes. */
export type Reporter<Outcome> = (outcome: Outcome, palette: Palette) => string;

/** What `migrate` found, planned and, with `--write`, wrote. */
export interface MigrationOutcome {
    report: MigrationReport;
    changes: FileChange[];
}

/** What `check` found. */
export interface FindingsOutcome {
    /** At or above the level, and not suppressed. */
    findings: Finding[];
    /** Suppressed by a comment; only formats for machines carry them. */
    suppressed: Finding[];
    /** Files that could not be read. */
    failures: Diagnostic[];
    /** A line of a file as it is on disk, for excerpts; undefined where it cannot be read. */
    lineOf: (file: string, line: number) => string | undefined;
    /** Of this package. */
    version: string;
}
