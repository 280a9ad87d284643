import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression } from 'ts-morph';
import { enclosingFunction, isFunctionNode, memberName, memberObject, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';

/** The function that an expression evaluates to, when it can be known: literally, by name, bound, or made by a call. */
export function functionBehind(node: Node): FunctionNode | undefined {
    const expression = unwrap(node);
    if (isFunctionNode(expression)) return expression;
    if (Node.isCallExpression(expression) && memberName(unwrap(expression.getExpression())) === 'bind') {
        const object = memberObject(unwrap(expression.getExpression()));
        return object === undefined ? undefined : functionBehind(object);
    }
    if (Node.isCallExpression(expression)) {
        const maker = calledFunction(expression);
        return maker === undefined ? undefined : returnedFunction(maker);
    }
    if (Node.isIdentifier(expression)) return declaredFunction(expression);
    if (Node.isPropertyAccessExpression(expression)) return declaredFunction(expression.getNameNode());
    return undefined;
}

/** The function that a maker returns: `return async args => …`, where that is its only result. */
function returnedFunction(maker: FunctionNode): FunctionNode | undefined {
    const body = maker.getBody();
    if (body === undefined) return undefined;
    if (!Node.isBlock(body)) {
        const value = unwrap(body);
        return isFunctionNode(value) ? value : undefined;
    }
    const returns = body
        .getDescendantsOfKind(SyntaxKind.ReturnStatement)
        .filter(statement => enclosingFunction(statement) === maker);
    const values = returns.map(statement => statement.getExpression());
    const [only] = values;
    const value = only === undefined || values.length > 1 ? undefined : unwrap(only);
    return isFunctionNode(value) ? value : undefined;
}

/** The maker of a function that is returned. */
export function makerOf(fn: FunctionNode): FunctionNode | undefined {
    const maker = enclosingFunction(fn);
    return maker !== undefined && returnedFunction(maker) === fn ? maker : undefined;
}

/** The function that a call runs, when it is one of the project's own. */
export function calledFunction(call: CallExpression): FunctionNode | undefined {
    const callee = unwrap(call.getExpression());
    if (isFunctionNode(callee)) return callee;
    if (Node.isIdentifier(callee)) return declaredFunction(callee);
    if (Node.isPropertyAccessExpression(callee)) return declaredFunction(callee.getNameNode());
    return undefined;
}

function declaredFunction(name: Node): FunctionNode | undefined {
    const symbol = name.getSymbol();
    const resolved = symbol?.getAliasedSymbol() ?? symbol;
    for (const declaration of resolved?.getDeclarations() ?? []) {
        const fn = functionOf(declaration);
        if (fn !== undefined) return fn;
    }
    return undefined;
}

function functionOf(declaration: Node): FunctionNode | undefined {
    if (declaration.getSourceFile().isDeclarationFile()) return undefined;
    if (isFunctionNode(declaration)) {
        return Node.isArrowFunction(declaration) || declaration.getBody() !== undefined ? declaration : undefined;
    }
    if (
        Node.isVariableDeclaration(declaration) ||
        Node.isPropertyDeclaration(declaration) ||
        Node.isPropertyAssignment(declaration)
    ) {
        const initializer = declaration.getInitializer();
        const value = initializer === undefined ? undefined : unwrap(initializer);
        return isFunctionNode(value) ? value : undefined;
    }
    // `exports.add = function () {…}`: the declaration of a CommonJS export is the member or the assignment.
    if (Node.isPropertyAccessExpression(declaration) || Node.isBinaryExpression(declaration)) {
        const assignment = Node.isBinaryExpression(declaration) ? declaration : declaration.getParent();
        if (!Node.isBinaryExpression(assignment)) return undefined;
        const value = unwrap(assignment.getRight());
        return isFunctionNode(value) ? value : undefined;
    }
    return undefined;
}
