import { placeText } from './call-site.js';
import type { CallSite } from './call-site.js';
import { identityOf } from './findings.js';
import type { Finding, Level } from './findings.js';
import { LIMITS } from './limits.js';
import type { Counts } from './watch.js';

/** What a run comes to. */
export interface Summary extends Readonly<Counts> {
    readonly problems: number;
    readonly notes: number;
}

/** One form of the report, in lines, of which the last one does not end in a line break. */
export interface Format {
    readonly start: () => string;
    readonly finding: (finding: Finding) => string;
    readonly summary: (summary: Summary) => string;
}

/** How many findings are known as told; the oldest is forgotten, for resources of a template are without number. */
const MAX_TOLD = 10_000;

/** Writes each finding when it is made, for servers are ended in ways that leave no time; once, however often it is seen. */
export class Report {
    readonly #format: Format;
    readonly #write: (text: string) => void;
    readonly #told = new Set<string>();
    readonly #counts: Record<Level, number> = { problem: 0, note: 0, evidence: 0 };
    #ended = false;

    /** @param write must have written when it returns. */
    constructor(format: Format, write: (text: string) => void) {
        this.#format = format;
        this.#write = write;
    }

    start(): void {
        this.#write(this.#format.start());
    }

    tell(finding: Finding): void {
        const identity = identityOf(finding);
        if (this.#told.has(identity)) return;
        this.#told.add(identity);
        const [oldest] = this.#told;
        if (this.#told.size > MAX_TOLD && oldest !== undefined) this.#told.delete(oldest);
        this.#counts[finding.level]++;
        this.#write(this.#format.finding(finding));
    }

    /** Writes the summary, the first time. */
    end(counts: Readonly<Counts>): void {
        if (this.#ended) return;
        this.#ended = true;
        const { problem: problems, note: notes } = this.#counts;
        this.#write(this.#format.summary({ ...counts, problems, notes }));
    }
}

const NAME = 'mcp-mrtr verify-replay';

/** For people, on stderr. */
export const textFormat: Format = {
    start: () => `${NAME}: watching this process`,
    finding: ({ level, rule, handler, attempt, message, site, advice }) => {
        const head = `${NAME}: ${level} (${rule}) in ${handler}, attempt ${attempt}`;
        const places = placesOf(site).map(place => `at ${place}`);
        // What to do has been said with what it is the evidence of.
        return level === 'evidence'
            ? `${head}: ${message} ${places[0] ?? ''}`
            : [head, ...[message, ...places, advice].map(indented)].join('\n');
    },
    summary: ({ calls, attempts, parked, replays, equalReplays, problems, notes }) =>
        `${NAME}: ${count(problems, 'problem')}, ${count(notes, 'note')} in ${count(calls, 'call')} and ` +
        `${count(attempts, 'attempt')}; ${count(replays, 'replay')} compared, ${equalReplays} equal` +
        (parked === 0 ? '' : `; ${count(parked, 'call')} waited in memory, of which nothing runs again`) +
        ['', 'Not seen:', ...LIMITS.map(limit => `- ${limit}`)].map(indented).join('\n')
};

/** For programs: one JSON document a line, `type` is `start`, `finding` or `summary`. */
export const jsonFormat: Format = {
    start: () => jsonLine('start', { limits: LIMITS }),
    finding: ({ site, ...finding }) =>
        jsonLine('finding', { ...finding, ...(site && { ...site.places[0], via: site.via, stack: placesOf(site) }) }),
    summary: summary => jsonLine('summary', { ...summary, limits: LIMITS })
};

function jsonLine(type: string, members: object): string {
    return JSON.stringify({ type, pid: process.pid, ...members });
}

function indented(line: string): string {
    return line === '' ? '' : `    ${line}`;
}

function placesOf(site: CallSite | undefined): string[] {
    const [first, ...others] = site?.places.map(placeText) ?? [];
    if (first === undefined) return [];
    return [site?.via === undefined ? first : `${first}, through ${site.via}`, ...others];
}

function count(number: number, noun: string): string {
    return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
