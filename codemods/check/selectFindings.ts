import type { Finding, FindingLevel } from '../report.js';
import { globMatcher } from './globs.js';

/** Which findings are reported, and how serious they are taken. */
export interface Selection {
    /** Lowest level. */
    level: FindingLevel;
    /** Rule → its level, or `off`. */
    rules: Readonly<Record<string, FindingLevel | 'off'>>;
    /** Only these rules, where there are any. */
    only: readonly string[];
    /** Globs of files that are not reported. */
    ignore: readonly string[];
}

/** From the most to the least severe. */
export const LEVELS: readonly FindingLevel[] = ['error', 'warning', 'note'];

/** The findings that are wanted, with their levels. Suppressed ones are among them, marked. */
export function selectFindings(findings: readonly Finding[], { level, rules, only, ignore }: Selection): Finding[] {
    const isIgnored = globMatcher(ignore);
    const lowest = LEVELS.indexOf(level);
    return findings.flatMap(finding => {
        const own = rules[finding.rule];
        if (own === 'off' || (only.length > 0 && !only.includes(finding.rule)) || isIgnored(finding.file)) return [];
        const leveled = own === undefined ? finding : { ...finding, level: own };
        return LEVELS.indexOf(leveled.level) <= lowest ? [leveled] : [];
    });
}
