import { Node, SyntaxKind } from 'ts-morph';
import { calleeName, enclosingFunction, isFunctionNode, memberName, outermost, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';

/**
 * The function whose parameters a piece of code lives on: the nearest function around it that is called on its own,
 * looking through callbacks that run inside the call they are given to (`items.map(x => …)`, `.then(x => …)`).
 */
export type Frame =
    /** A function with a name of its own: declaration, method, `const f = () =>`, `exports.f = function`. */
    | { kind: 'named'; fn: FunctionNode; name: Node }
    /** The callback argument of a call, as it stands in the call: a registered handler, if anything. */
    | { kind: 'callback'; fn: FunctionNode }
    /** A function that leaves the function it was made in: returned, or a value in an object or array. */
    | { kind: 'value'; fn: FunctionNode; how: string }
    /** Runs later, without a request: timers, event listeners, lifecycle hooks. */
    | { kind: 'detached'; fn: FunctionNode; how: string }
    /** Not in any function. */
    | { kind: 'module' };

/** Calls that keep their callback for later, by name. */
const DEFERRING: ReadonlySet<string> = new Set([
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'nextTick',
    'on',
    'once',
    'addListener',
    'addEventListener',
    'prependListener',
    'subscribe',
    'schedule',
    'setNotificationHandler'
]);

/** HTTP routes: `app.post('/x', handler)`. */
const ROUTES: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'all', 'use', 'route']);

/** Properties that the SDK or Node calls outside any request. */
const HOOKS: ReadonlySet<string> = new Set([
    'oninitialized',
    'onclose',
    'onerror',
    'onmessage',
    'onsessioninitialized'
]);

export function frameOf(node: Node, isHandler: (fn: FunctionNode) => boolean): Frame {
    let inner: Node = node;
    for (;;) {
        const fn = enclosingFunction(inner);
        if (fn === undefined) return { kind: 'module' };
        if (isHandler(fn)) return { kind: 'callback', fn };
        const own = frameOfFunction(fn);
        if (own !== undefined) return own;
        inner = fn;
    }
}

/** How a function comes to run; undefined when it is a callback that runs inside the call around it. */
export function frameOfFunction(fn: FunctionNode): Frame | undefined {
    if (Node.isFunctionDeclaration(fn)) {
        const name = fn.getNameNode();
        return name === undefined ? { kind: 'value', fn, how: 'exported without a name' } : { kind: 'named', fn, name };
    }
    if (Node.isMethodDeclaration(fn)) {
        if (Node.isObjectLiteralExpression(fn.getParent())) return { kind: 'value', fn, how: 'a method of an object' };
        return { kind: 'named', fn, name: fn.getNameNode() };
    }
    if (!Node.isArrowFunction(fn) && !Node.isFunctionExpression(fn)) {
        return { kind: 'value', fn, how: Node.isConstructorDeclaration(fn) ? 'a constructor' : 'an accessor' };
    }
    const outer = outermost(fn);
    const parent = outer.getParent();
    if (Node.isVariableDeclaration(parent)) {
        const name = parent.getNameNode();
        return Node.isIdentifier(name) ? { kind: 'named', fn, name } : { kind: 'value', fn, how: 'destructured' };
    }
    if (Node.isPropertyDeclaration(parent)) return { kind: 'named', fn, name: parent.getNameNode() };
    if (Node.isBinaryExpression(parent) && parent.getOperatorToken().getKind() === SyntaxKind.EqualsToken) {
        return assigned(fn, parent.getLeft());
    }
    if (Node.isCallExpression(parent)) {
        if (unwrap(parent.getExpression()) === fn) return undefined;
        return deferred(fn, parent);
    }
    if (Node.isNewExpression(parent)) {
        return parent.getExpression().getText() === 'Promise'
            ? undefined
            : { kind: 'value', fn, how: 'given to a constructor' };
    }
    if (Node.isReturnStatement(parent) || isFunctionNode(parent))
        return { kind: 'value', fn, how: 'returned by a function' };
    if (Node.isPropertyAssignment(parent)) {
        const name = parent.getName();
        if (HOOKS.has(name)) return { kind: 'detached', fn, how: name };
        return { kind: 'value', fn, how: `a property (${name}) of an object` };
    }
    return { kind: 'value', fn, how: 'kept as a value' };
}

function assigned(fn: FunctionNode, target: Node): Frame {
    const name = memberName(target);
    if (name !== undefined && HOOKS.has(name)) return { kind: 'detached', fn, how: name };
    if (Node.isPropertyAccessExpression(target) && /^(?:module\.)?exports$/.test(target.getExpression().getText())) {
        return { kind: 'named', fn, name: target.getNameNode() };
    }
    return { kind: 'value', fn, how: `assigned to ${target.getText()}` };
}

function deferred(fn: FunctionNode, call: Node): Frame | undefined {
    if (!Node.isCallExpression(call)) return undefined;
    const name = calleeName(call);
    if (name === undefined) return undefined;
    if (DEFERRING.has(name)) return { kind: 'detached', fn, how: name };
    const first = call.getArguments()[0];
    if (ROUTES.has(name) && first !== undefined && Node.isStringLiteral(first)) {
        return { kind: 'detached', fn, how: `route ${first.getLiteralValue()}` };
    }
    return undefined;
}
