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

/** What a key is taken for: the handlers that reach it, or, where they are not known, all of its package. */
interface Taker {
    handlers: readonly string[];
    owner: string;
}

/** Gives each key to one thing only among all that a handler can reach. */
class TakenKeys {
    private readonly taken: (Taker & { key: string })[] = [];

    take(base: string, taker: Taker): string {
        let key = base;
        for (let number = 2; this.clashes(key, taker); number++) key = `${base}-${number}`;
        this.taken.push({ ...taker, key });
        return key;
    }

    private clashes(key: string, { handlers, owner }: Taker): boolean {
        return this.taken.some(other => {
            if (other.key !== key) return false;
            const known = handlers.length > 0 && other.handlers.length > 0;
            return known ? other.handlers.some(one => handlers.includes(one)) : other.owner === owner;
        });
    }
}

/**
 * A key for each question and for each piece that runs once: readable, and another one than any that the same handler
 * can reach. The runtime adds the occurrence, so a loop needs no index here.
 */
export function keysFor(
    sites: readonly SiteFact[],
    functions: readonly FunctionFact[],
    onces: readonly OnceFact[] = [],
    packageOf: (file: string) => string = () => ''
): { asks: Map<string, string>; onces: Map<OnceFact, string> } {
    const handlersOf = new Map(functions.map(({ id, handlers }) => [id, handlers]));
    const taken = new TakenKeys();
    const take = (base: string, file: string, handlers: readonly string[] = []): string =>
        taken.take(base, { handlers, owner: packageOf(file) });
    return {
        asks: new Map(
            sites.map(site => {
                const handlers = site.ambient?.handlers ?? handlersOf.get(site.context ?? '');
                return [site.id, take(baseKey(site), site.file, site.ambient?.known === false ? [] : handlers)];
            })
        ),
        onces: new Map(onces.map(fact => [fact, take(readable(fact.name), fact.file, handlersOf.get(fact.context))]))
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

/** The key that a question would have if nothing else had it. */
export function baseKey({ keyHints, kind }: Pick<SiteFact, 'keyHints' | 'kind'>): string {
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
