import { ts } from 'ts-morph';
import { isRequireOf, namesModule } from './moduleReference.js';

/** How a declaration binds what it requires. */
export type RequireForm =
    | { kind: 'named'; elements: readonly ts.BindingElement[]; module: ts.StringLiteral }
    | { kind: 'member'; name: string; local: string; module: ts.StringLiteral }
    | { kind: 'namespace'; local: string; module: ts.StringLiteral };

/** How a declaration requires a module of the SDK or zod; undefined for anything else, however close. */
export function requireForm({ name, initializer }: ts.VariableDeclaration): RequireForm | undefined {
    if (!initializer) return undefined;
    const module = isRequireOf(initializer) ?? isRequireOf(interopArgument(initializer));
    if (module && namesModule(module)) {
        if (ts.isIdentifier(name)) return { kind: 'namespace', local: name.text, module };
        if (ts.isObjectBindingPattern(name) && name.elements.every(isPlain)) {
            return { kind: 'named', elements: name.elements, module };
        }
        return undefined;
    }
    if (ts.isPropertyAccessExpression(initializer) && ts.isIdentifier(name)) {
        const owner = isRequireOf(initializer.expression);
        if (owner && namesModule(owner))
            return { kind: 'member', name: initializer.name.text, local: name.text, module: owner };
    }
    return undefined;
}

/** `__importStar(require('…'))` and its like in compiled code. */
function interopArgument(node: ts.Expression): ts.Expression | undefined {
    return ts.isCallExpression(node) &&
        ts.isIdentifier(node.expression) &&
        /^(__import|_interop)/.test(node.expression.text)
        ? node.arguments[0]
        : undefined;
}

function isPlain({ name, initializer, dotDotDotToken, propertyName }: ts.BindingElement): boolean {
    return ts.isIdentifier(name) && !initializer && !dotDotDotToken && (!propertyName || ts.isIdentifier(propertyName));
}
