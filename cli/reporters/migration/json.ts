import type { MigrationOutcome, Reporter } from '../reporter.js';

/** The machine's form: exactly the report of `codemods/report.ts`, one document. */
export const json: Reporter<MigrationOutcome> = ({ report }) => JSON.stringify(report, null, 2);
