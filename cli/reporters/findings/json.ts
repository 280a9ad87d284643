import type { FindingLevel } from '../../../codemods/index.js';
import type { FindingsOutcome, Reporter } from '../reporter.js';

/** The machine's form of `check`: `{ version, findings, diagnostics, summary }`, one document. */
export const json: Reporter<FindingsOutcome> = ({ findings, failures }) => {
    const byLevel: Record<FindingLevel, number> = { error: 0, warning: 0, note: 0 };
    for (const finding of findings) byLevel[finding.level] += 1;
    return JSON.stringify({ version: 1, findings, diagnostics: failures, summary: { byLevel } }, null, 2);
};
