/** The zod that SDK v2 needs: before 4.2 `tools/list`, or even discovery, fails. */
const ZOD_FLOOR = [4, 2] as const;

export type ZodVerdict = 'enough' | 'below' | 'unknown';

/**
 * Whether every zod that a range lets in is one that SDK v2 can use. `unknown` for what is no range of versions
 * (`workspace:…`, `catalog:`, a URL, a tag but `latest`).
 */
export function judgeZodRange(range: string): ZodVerdict {
    const lowest = lowestVersion(range.replace(/^npm:zod@/, ''));
    if (lowest === undefined) return 'unknown';
    const [major, minor] = lowest;
    return major > ZOD_FLOOR[0] || (major === ZOD_FLOOR[0] && minor >= ZOD_FLOOR[1]) ? 'enough' : 'below';
}

/** The major version that a range of zod installs, for reading the project as its author does: its highest below 5. */
export function zodMajorOf(range: string): 3 | 4 {
    const majors = range.split('||').flatMap(part => {
        const lowest = lowestVersion(part)?.[0];
        return lowest === undefined ? [] : [lowest];
    });
    return majors.length > 0 && majors.every(major => major < 4) && !isOpenEnded(range) ? 3 : 4;
}

/** `>=3.20` reaches every later major. */
function isOpenEnded(range: string): boolean {
    return range.split('||').some(part => /^\s*>=?[^<]*$/.test(part) || /<=?\s*(?:[5-9]|4\.[1-9])/.test(part));
}

/** Major and minor of the lowest version that a range allows. */
function lowestVersion(range: string): [number, number] | undefined {
    const parts = range.split('||').map(lowestOfPart);
    if (parts.includes(undefined)) return undefined;
    return (parts as [number, number][]).sort((a, b) => a[0] - b[0] || a[1] - b[1])[0];
}

/** A part is a list of comparators that must all hold; the highest lower bound counts. */
function lowestOfPart(part: string): [number, number] | undefined {
    const text = part.trim();
    if (text === '' || text === '*' || text === 'x' || text === 'latest') return [Infinity, 0];
    const withoutUpper = text.replace(/\s+-\s+\S+$/, '').replace(/<=?\s*v?[\d.x*]+\S*/g, ' ');
    const bounds = withoutUpper
        .trim()
        .split(/\s+(?![\dv])/)
        .filter(bound => bound !== '');
    const versions = bounds.map(bound => /^(?:\^|~|>=|>|=)?\s*v?(\d+)(?:\.(\d+|x|\*))?(?:\.\S+)?$/.exec(bound));
    if (versions.includes(null)) return undefined;
    const numbers = versions.map((match): [number, number] => [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0) || 0]);
    return numbers.sort((a, b) => b[0] - a[0] || b[1] - a[1])[0] ?? [0, 0];
}
