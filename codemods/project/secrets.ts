import { Node } from 'ts-morph';
import type { Type } from 'ts-morph';
import { calleeName, outermost, unwrap } from './syntax.js';

const SECRET_WORDS: ReadonlySet<string> = new Set([
    'token',
    'tokens',
    'secret',
    'secrets',
    'password',
    'passwd',
    'passphrase',
    'credential',
    'credentials',
    'authorization',
    'bearer',
    'jwt',
    'cookie',
    'cookies',
    'apikey'
]);

const SECRET_KEYS = /\b(?:api|access|private|secret|signing|encryption) keys?\b/;

/** Whether a name says that its value is not to be handed out: `accessToken`, `API_KEY`; not `tokenize`. */
export function isSecretName(name: string): boolean {
    const words = name
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
        .toLowerCase()
        .split(/[^a-z0-9]+/);
    return words.some(word => SECRET_WORDS.has(word)) || SECRET_KEYS.test(words.join(' '));
}

/**
 * What of a value is a secret, by the names around it and in its type; undefined when nothing says so. What is kept
 * between rounds travels through the client, sealed, for as long as a person takes to answer.
 *
 * @param type of the value when it is there.
 */
export function secretIn(at: Node, type: Type): string | undefined {
    const bare = type.getNonNullableType();
    if (bare.isNumber() || bare.isNumberLiteral() || bare.isBoolean() || bare.isUndefined() || bare.isVoid()) {
        return undefined;
    }
    const names = [
        ...namesAround(at),
        bare.getAliasSymbol()?.getName() ?? '',
        ...(bare.isObject() ? [bare.getSymbol()?.getName() ?? '', ...textProperties(bare, at)] : [])
    ];
    return names.find(isSecretName);
}

/** Of the variable or property that takes a value, and of the function that gives it. */
function namesAround(at: Node): string[] {
    let inner = unwrap(at);
    while (Node.isAwaitExpression(inner)) inner = unwrap(inner.getExpression());
    let holder = outermost(at).getParent();
    while (Node.isAwaitExpression(holder)) holder = outermost(holder).getParent();
    const names: string[] = [];
    if (Node.isVariableDeclaration(holder) || Node.isPropertyAssignment(holder))
        names.push(holder.getNameNode().getText());
    if (Node.isCallExpression(inner)) names.push(calleeName(inner) ?? '');
    if (Node.isPropertyAccessExpression(inner)) names.push(inner.getName());
    if (Node.isIdentifier(inner)) names.push(inner.getText());
    return names;
}

function textProperties(type: Type, at: Node): string[] {
    if (type.isArray()) return [];
    return type
        .getProperties()
        .filter(property => isSecretName(property.getName()))
        .filter(property => {
            const value = property.getTypeAtLocation(at).getNonNullableType();
            return value.isString() || value.isAny() || value.isUnknown();
        })
        .map(property => property.getName());
}
