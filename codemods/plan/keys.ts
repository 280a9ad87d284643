import type { FunctionFact, OnceFact, SiteFact } from '../facts/facts.js';

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

/** Gives each key to one thing only among all that a handler can reach. */
class TakenKeys {
    private readonly handlersOf: ReadonlyMap<string, readonly string[]>;
    private readonly taken: { key: string; handlers: readonly string[] }[] = [];

    constructor(functions: readonly FunctionFact[]) {
        this.handlersOf = new Map(functions.map(fact => [fact.id, fact.handlers]));
    }

    take(base: string, context: string | undefined): string {
        const handlers = (context === undefined ? undefined : this.handlersOf.get(context)) ?? [];
        let key = base;
        for (let number = 2; this.clashes(key, handlers); number++) key = `${base}-${number}`;
        this.taken.push({ key, handlers });
        return key;
    }

    private clashes(key: string, handlers: readonly string[]): boolean {
        return this.taken.some(
            other =>
                other.key === key &&
                (handlers.length === 0 ||
                    other.handlers.length === 0 ||
                    other.handlers.some(one => handlers.includes(one)))
        );
    }
}

/**
 * A key for each question and for each piece that runs once: readable, and another one than any that the same handler
 * can reach. The runtime adds the occurrence, so a loop needs no index here.
 */
export function keysFor(
    sites: readonly SiteFact[],
    functions: readonly FunctionFact[],
    onces: readonly OnceFact[] = []
): { asks: Map<string, string>; onces: Map<OnceFact, string> } {
    const taken = new TakenKeys(functions);
    return {
        asks: new Map(sites.map(site => [site.id, taken.take(baseKey(site), site.context)])),
        onces: new Map(onces.map(fact => [fact, taken.take(readable(fact.name), fact.context)]))
    };
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
