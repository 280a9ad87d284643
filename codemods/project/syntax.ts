import { Node } from 'ts-morph';
import type {
    ArrowFunction,
    CallExpression,
    ConstructorDeclaration,
    Expression,
    FunctionDeclaration,
    FunctionExpression,
    GetAccessorDeclaration,
    MethodDeclaration,
    SetAccessorDeclaration
} from 'ts-morph';

export type FunctionNode =
    | ArrowFunction
    | FunctionDeclaration
    | FunctionExpression
    | MethodDeclaration
    | ConstructorDeclaration
    | GetAccessorDeclaration
    | SetAccessorDeclaration;

export function isFunctionNode(node: Node | undefined): node is FunctionNode {
    return (
        Node.isArrowFunction(node) ||
        Node.isFunctionDeclaration(node) ||
        Node.isFunctionExpression(node) ||
        Node.isMethodDeclaration(node) ||
        Node.isConstructorDeclaration(node) ||
        Node.isGetAccessorDeclaration(node) ||
        Node.isSetAccessorDeclaration(node)
    );
}

/** The innermost function around a node (not the node itself). */
export function enclosingFunction(node: Node): FunctionNode | undefined {
    return node.getFirstAncestor(isFunctionNode);
}

/** Whether one node is, or stands in, another. */
export function contains(outer: Node, inner: Node): boolean {
    return (
        outer.getSourceFile() === inner.getSourceFile() &&
        outer.getPos() <= inner.getPos() &&
        inner.getEnd() <= outer.getEnd()
    );
}

/** Strips parentheses, `as`, `satisfies`, `!` and type assertions: what is left has the same value. */
export function unwrap(node: Node): Node {
    let current = node;
    while (
        Node.isParenthesizedExpression(current) ||
        Node.isAsExpression(current) ||
        Node.isSatisfiesExpression(current) ||
        Node.isNonNullExpression(current) ||
        Node.isTypeAssertion(current)
    ) {
        current = current.getExpression();
    }
    return current;
}

/** The outermost expression that has the same value as `node`: through parentheses, `as`, `!`. */
export function outermost(node: Node): Node {
    let current = node;
    for (;;) {
        const parent = current.getParent();
        if (
            parent !== undefined &&
            (Node.isParenthesizedExpression(parent) ||
                Node.isAsExpression(parent) ||
                Node.isSatisfiesExpression(parent) ||
                Node.isNonNullExpression(parent) ||
                Node.isTypeAssertion(parent))
        ) {
            current = parent;
        } else return current;
    }
}

/** The member name of `a.b` or `a['b']`, else undefined. */
export function memberName(node: Node): string | undefined {
    if (Node.isPropertyAccessExpression(node)) return node.getName();
    if (Node.isElementAccessExpression(node)) {
        const argument = node.getArgumentExpression();
        if (argument !== undefined && Node.isStringLiteral(argument)) return argument.getLiteralValue();
    }
    return undefined;
}

/** `a` of `a.b` and `a['b']`. */
export function memberObject(node: Node): Expression | undefined {
    if (Node.isPropertyAccessExpression(node) || Node.isElementAccessExpression(node)) return node.getExpression();
    return undefined;
}

/** The leftmost expression of a member chain: `server` of `server.server.elicitInput`. */
export function chainRoot(node: Node): Node {
    let current = unwrap(node);
    for (;;) {
        const object = memberObject(current);
        if (object === undefined) return current;
        current = unwrap(object);
    }
}

/** The name a callee is called by: `b` of `a.b()`, `f` of `f()`. */
export function calleeName(call: CallExpression): string | undefined {
    const callee = unwrap(call.getExpression());
    return Node.isIdentifier(callee) ? callee.getText() : memberName(callee);
}

/** The value of a string expression that can be known: literal, `const`, enum member, literal type. */
export function stringValue(node: Node | undefined): string | undefined {
    if (node === undefined) return undefined;
    const expression = unwrap(node);
    if (Node.isStringLiteral(expression) || Node.isNoSubstitutionTemplateLiteral(expression)) {
        return expression.getLiteralValue();
    }
    const literal = expression.getType().getLiteralValue();
    if (typeof literal === 'string') return literal;
    if (Node.isIdentifier(expression)) {
        const declaration = expression.getSymbol()?.getDeclarations()[0];
        if (Node.isVariableDeclaration(declaration)) {
            const initializer = declaration.getInitializer();
            if (initializer !== undefined && initializer !== expression) return stringValue(initializer);
        }
    }
    return undefined;
}

/** The initializer of a property in an object literal, shorthand included. */
export function propertyValue(object: Node | undefined, name: string): Expression | undefined {
    if (object === undefined || !Node.isObjectLiteralExpression(object)) return undefined;
    const property = object.getProperty(name);
    if (Node.isPropertyAssignment(property)) return property.getInitializer();
    if (Node.isShorthandPropertyAssignment(property)) return property.getNameNode();
    return undefined;
}

/** The object literal that an expression is, directly or through a `const`. */
export function objectLiteralOf(node: Node | undefined): Node | undefined {
    if (node === undefined) return undefined;
    const expression = unwrap(node);
    if (Node.isObjectLiteralExpression(expression)) return expression;
    if (!Node.isIdentifier(expression)) return undefined;
    const declaration = expression.getSymbol()?.getDeclarations()[0];
    if (!Node.isVariableDeclaration(declaration)) return undefined;
    const initializer = declaration.getInitializer();
    return initializer === undefined ? undefined : objectLiteralOf(initializer);
}

/** Files of tests: their calls are reported and left alone. */
export function isTestFile(path: string): boolean {
    return (
        /(^|\/)(__tests__|__mocks__|tests?|specs?|e2e)\//.test(path) ||
        /(^|[./_-])(tests?|spec|e2e)\.[cm]?[jt]sx?$/.test(path)
    );
}
