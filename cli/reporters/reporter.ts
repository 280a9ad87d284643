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
    /** At or above the level. */
    findings: Finding[];
    /** Files that could not be read. */
    failures: Diagnostic[];
}
