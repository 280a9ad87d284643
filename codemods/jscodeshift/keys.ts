import { baseKey } from '../plan/keys.js';
import type { FoundAsk } from './askingHandlers.js';
import { nameOf, propertyOf } from './tree.js';
import type { AstNode } from './tree.js';

/** A key for each ask of a handler: the one that the migration gives, numbered where two would be the same. */
export function keyed(asks: readonly FoundAsk[]): { ask: FoundAsk; key: string }[] {
    const taken = new Set<string>();
    return asks.map(ask => {
        const base = baseKey({ kind: ask.kind, keyHints: { properties: propertiesOf(ask), ...variableOf(ask) } });
        let key = base;
        for (let number = 2; taken.has(key); number++) key = `${base}-${number}`;
        taken.add(key);
        return { ask, key };
    });
}

const variableOf = ({ variable }: FoundAsk): { variable?: string } => (variable === undefined ? {} : { variable });

function propertiesOf({ node }: FoundAsk): string[] {
    const [request] = node.arguments as AstNode[];
    const properties = propertyOf(propertyOf(request, 'requestedSchema'), 'properties');
    return properties === undefined ? [] : (properties.properties as AstNode[]).flatMap(one => nameOf(one.key) ?? []);
}
