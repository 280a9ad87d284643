import type { Identifier, Node, PrivateIdentifier, ts } from 'ts-morph';

/** Per state of a project: with any other text of any of its files there may be other references. */
const known = new WeakMap<ts.Program, Map<Node, Node[]>>();

/** All that names the same thing as a name, the declaration itself included. The language service is asked once. */
export function referencesTo(name: Identifier | PrivateIdentifier): Node[] {
    const program = name.getProject().getProgram().compilerObject;
    const found = known.get(program) ?? new Map<Node, Node[]>();
    known.set(program, found);
    const references = found.get(name) ?? name.findReferencesAsNodes();
    found.set(name, references);
    return references;
}

/** Where a name is used: its references without itself. */
export const usesOf = (name: Identifier | PrivateIdentifier): Node[] => referencesTo(name).filter(use => use !== name);
