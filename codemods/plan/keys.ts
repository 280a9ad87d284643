import type { FunctionFact, SiteFact } from '../facts/facts.js';

/** Names that say nothing about the question. */
const HOLLOW: ReadonlySet<string> = new Set([
    'result',
    'results',
    'res',
    'response',
    'resp',
    'reply',
    'answer',
    'answers',
    'r',
    'data',
    'value',
    'output',
    'elicitation',
    'elicitationResult',
    'elicitResult',
    'elicited',
    'samplingResult',
    'completion',
    'message',
    'raw'
]);

/**
 * A key for each site: readable, and another one than any site that the same handler can reach. The runtime adds the
 * occurrence, so a loop needs no index here.
 */
export function keysFor(sites: readonly SiteFact[], functions: readonly FunctionFact[]): Map<string, string> {
    const handlersOf = new Map(functions.map(fact => [fact.id, fact.handlers]));
    const keys = new Map<string, string>();
    const taken: { key: string; handlers: readonly string[] }[] = [];
    for (const site of sites) {
        const handlers = (site.context === undefined ? undefined : handlersOf.get(site.context)) ?? [];
        const clashes = (key: string): boolean =>
            taken.some(
                other =>
                    other.key === key &&
                    (handlers.length === 0 ||
                        other.handlers.length === 0 ||
                        other.handlers.some(one => handlers.includes(one)))
            );
        const base = baseKey(site);
        let key = base;
        for (let number = 2; clashes(key); number++) key = `${base}-${number}`;
        taken.push({ key, handlers });
        keys.set(site.id, key);
    }
    return keys;
}

const FALLBACK: Readonly<Record<SiteFact['kind'], string>> = {
    elicit: 'answer',
    elicitUrl: 'page',
    sample: 'completion',
    roots: 'roots',
    complete: 'done',
    urlRequired: 'page'
};

function baseKey({ keyHints, kind }: SiteFact): string {
    const { variable, properties, enclosing } = keyHints;
    if (kind === 'roots') return 'roots';
    if (variable !== undefined && !HOLLOW.has(variable)) return readable(variable);
    const [only, ...more] = properties;
    if (only !== undefined && more.length === 0) return readable(only);
    if (enclosing !== undefined) return readable(enclosing);
    return only === undefined ? FALLBACK[kind] : readable(only);
}

/** `askGardener` → `ask-gardener`, `user_name` stays. */
function readable(name: string): string {
    const words = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
    return words.replace(/[^a-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'answer';
}
