import type { Finding } from '../report.js';
import { parseJson } from '../project/jsonText.js';
import { ConfigError } from './configError.js';

/**
 * What is known and allowed for now: how many findings of a rule a file has. The counts may only fall. Of findings that
 * moved within a file nothing is noticed; one more of them, and all of that rule in that file are reported.
 */
export interface Baseline {
    version: 1;
    /** Rule → file → number of findings. */
    counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** What is left when the known findings are taken off. */
export interface Compared {
    findings: Finding[];
    /** How many were known. */
    known: number;
    /** Where there are fewer by now, so that the baseline can fall. */
    fallen: { rule: string; file: string; allowed: number; found: number }[];
}

/** @throws ConfigError with the place */
export function parseBaseline(path: string, text: string): Baseline {
    const { value, problem } = parseJson(text);
    if (problem !== undefined) throw new ConfigError(`${path}:${problem.line}:${problem.column} ${problem.message}`);
    if (!isBaseline(value)) {
        throw new ConfigError(
            `${path} is no baseline of mcp-mrtr check ({ "version": 1, "counts": { rule: { file: number } } }).`
        );
    }
    return value;
}

function isBaseline(value: unknown): value is Baseline {
    if (!isRecord(value) || value['version'] !== 1 || !isRecord(value['counts'])) return false;
    return Object.values(value['counts']).every(
        files => isRecord(files) && Object.values(files).every(count => Number.isInteger(count) && Number(count) >= 0)
    );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);

export function compare(findings: readonly Finding[], { counts }: Baseline): Compared {
    const found = countsOf(findings);
    const allowed = (rule: string, file: string): number => counts[rule]?.[file] ?? 0;
    const isKnown = ({ rule, file }: Finding): boolean => (found[rule]?.[file] ?? 0) <= allowed(rule, file);
    const fallen = Object.entries(counts).flatMap(([rule, files]) =>
        Object.entries(files)
            .map(([file, number]) => ({ rule, file, allowed: number, found: found[rule]?.[file] ?? 0 }))
            .filter(one => one.found < one.allowed)
    );
    const fresh = findings.filter(one => !isKnown(one));
    return { findings: fresh, known: findings.length - fresh.length, fallen };
}

/** The baseline of what is found now; where there was one, no count of it rises. */
export function lowered(findings: readonly Finding[], previous: Baseline | undefined): Baseline {
    const found = countsOf(findings);
    const counts: Record<string, Record<string, number>> = {};
    for (const rule of Object.keys(found).sort()) {
        for (const file of Object.keys(found[rule] ?? {}).sort()) {
            const number = found[rule]?.[file] ?? 0;
            const kept = previous === undefined ? number : Math.min(number, previous.counts[rule]?.[file] ?? 0);
            if (kept > 0) counts[rule] = { ...counts[rule], [file]: kept };
        }
    }
    return { version: 1, counts };
}

function countsOf(findings: readonly Finding[]): Record<string, Record<string, number>> {
    const counts: Record<string, Record<string, number>> = {};
    for (const { rule, file } of findings) {
        const files = (counts[rule] ??= {});
        files[file] = (files[file] ?? 0) + 1;
    }
    return counts;
}
