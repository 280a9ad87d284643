import type { FindingLevel } from '../../../codemods/index.js';
import type { FindingsOutcome, Reporter } from '../reporter.js';

/** The machine's form of `check`: `{ version, findings, suppressed, diagnostics, summary }`, one document. */
export const json: Reporter<FindingsOutcome> = ({ findings, suppressed, failures }) => {
    const byLevel: Record<FindingLevel, number> = { error: 0, warning: 0, note: 0 };
    const byRule: Record<string, number> = {};
    for (const { level, rule } of findings) {
        byLevel[level] += 1;
        byRule[rule] = (byRule[rule] ?? 0) + 1;
    }
    const summary = { byLevel, byRule };
    return JSON.stringify({ version: 1, findings, suppressed, diagnostics: failures, summary }, null, 2);
};
