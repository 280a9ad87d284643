import { Node } from 'ts-morph';
import type { ObjectLiteralElementLike, Symbol as MorphSymbol } from 'ts-morph';
import type { Span } from '../facts/facts.js';
import { usesOf } from './references.js';
import { calleeName, contains, unwrap } from './syntax.js';

/**
 * The `elicitationId` of a page that is asked for: only the completion notification named it, and revision 2026-07-28 has
 * neither. It stays where it is all that its variable is read for, or that would be left unused.
 */
export function pageIdOf(ask: Node): ObjectLiteralElementLike | undefined {
    if (!Node.isCallExpression(ask)) return undefined;
    const [first] = ask.getArguments();
    const params = first && unwrap(first);
    if (!Node.isObjectLiteralExpression(params)) return undefined;
    const property = params.getProperty('elicitationId');
    if (Node.isShorthandPropertyAssignment(property)) {
        return isReadElsewhere(property.getValueSymbol(), property) ? property : undefined;
    }
    if (!Node.isPropertyAssignment(property)) return undefined;
    const value = property.getInitializer();
    return Node.isIdentifier(value) && !isReadElsewhere(value.getSymbol(), property) ? undefined : property;
}

function isReadElsewhere(variable: MorphSymbol | undefined, property: Node): boolean {
    const [declaration] = variable?.getDeclarations() ?? [];
    const name =
        Node.isVariableDeclaration(declaration) ||
        Node.isParameterDeclaration(declaration) ||
        Node.isBindingElement(declaration)
            ? declaration.getNameNode()
            : undefined;
    if (!Node.isIdentifier(name)) return false;
    return usesOf(name).some(use => !contains(property, use) && !isForNotifier(use));
}

/** `createElicitationCompletionNotifier(id)`, which goes too. */
function isForNotifier(use: Node): boolean {
    const parent = use.getParent();
    return Node.isCallExpression(parent) && calleeName(parent) === 'createElicitationCompletionNotifier';
}

/** A property with its comma and the space to the next one; the comments of its neighbours stay. */
export function propertySpan(property: ObjectLiteralElementLike): Span {
    const text = property.getSourceFile().getFullText();
    const start = property.getStart();
    const comma = /^\s*,[^\S\n]*\n?\s*/.exec(text.slice(property.getEnd()));
    if (comma !== null) return { start, end: property.getEnd() + comma[0].length };
    const before = /,?\s*$/.exec(text.slice(0, start));
    return { start: start - (before?.[0].length ?? 0), end: property.getEnd() };
}
