import { createHash } from 'node:crypto';

/** What a fingerprint is made of. */
interface Printed {
    rule: string;
    file: string;
    message: string;
    line: number;
}

/**
 * A name for each finding that stays the same when lines above it come and go: rule, file, the text of its line, and which
 * of several alike it is. Code scanning knows by it what is new.
 */
export function fingerprints(findings: readonly Printed[], lineText: (file: string, line: number) => string): string[] {
    const seen = new Map<string, number>();
    return findings.map(({ rule, file, line }) => {
        const base = [rule, file, lineText(file, line).replace(/\s+/g, ' ').trim()].join('\n');
        const number = seen.get(base) ?? 0;
        seen.set(base, number + 1);
        return createHash('sha256').update(`${base}\n${number}`).digest('hex').slice(0, 32);
    });
}
