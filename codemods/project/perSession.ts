import { Node, SyntaxKind } from 'ts-morph';
import type { SourceFile } from 'ts-morph';
import { MUTATING_METHODS, NOTIFYING_METHOD } from '../facts/effects.js';
import type { Registration } from './handlers.js';
import { callTree } from './lifecycle/callTree.js';
import { isContextName } from './ownership.js';
import { isLogging } from './outsideCalls.js';
import { usesOf } from './references.js';
import {
    calleeName,
    chainRoot,
    contains,
    enclosingFunction,
    memberName,
    memberObject,
    outermost,
    stringValue,
    unwrap
} from './syntax.js';
import type { FunctionNode } from './syntax.js';

const SESSION_HEADER = /^mcp-session-id$/i;

/**
 * Reads of the session that a request belongs to, by what it is given of the request, where more is done with it than to
 * log it. No request of 2026-07-28 has one: what is kept under it is one entry for all callers, and a check for it fails.
 */
export function sessionReads(file: SourceFile): Node[] {
    if (!/sessionId|mcp-session-id/i.test(file.getFullText())) return [];
    const members = [
        ...file.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression),
        ...file.getDescendantsOfKind(SyntaxKind.ElementAccessExpression)
    ].filter(isSessionMember);
    const taken = file.getDescendantsOfKind(SyntaxKind.BindingElement).filter(element => {
        const name = element.getPropertyNameNode()?.getText() ?? element.getName();
        return name === 'sessionId' && isContextPattern(element.getParent());
    });
    const headers = file.getDescendantsOfKind(SyntaxKind.CallExpression).filter(isSessionHeader);
    return [...members, ...taken, ...headers].filter(read => isUsed(read));
}

/** `ctx.sessionId`, `server.transport.sessionId`, `extra.requestInfo.headers['mcp-session-id']`. */
function isSessionMember(node: Node): boolean {
    const object = memberObject(node);
    const name = memberName(node);
    if (object === undefined || name === undefined) return false;
    if (SESSION_HEADER.test(name)) return isOfContext(chainRoot(object));
    if (name !== 'sessionId') return false;
    const inner = unwrap(object);
    if (memberName(inner) !== 'transport') return isOfContext(inner);
    const owner = memberObject(inner);
    return owner !== undefined && /server|mcp/i.test(memberName(unwrap(owner)) ?? owner.getText());
}

/** `ctx.http?.req?.headers.get('mcp-session-id')`. */
function isSessionHeader(node: Node): boolean {
    if (!Node.isCallExpression(node) || calleeName(node) !== 'get') return false;
    const object = memberObject(unwrap(node.getExpression()));
    return (
        object !== undefined &&
        SESSION_HEADER.test(stringValue(node.getArguments()[0]) ?? '') &&
        isOfContext(chainRoot(object))
    );
}

/** By its type, or, where that says nothing, by its name. */
function isOfContext(node: Node): boolean {
    if (node.getType().getProperty('mcpReq') !== undefined) return true;
    const name = memberName(node) ?? node.getText();
    return isContextName(name.replace(/^_/, '')) || /(?:Context|Extra|Ctx)$/.test(name);
}

/** `{ sessionId }` of a parameter with the context, or of a variable that holds it. */
function isContextPattern(pattern: Node): boolean {
    if (pattern.getType().getProperty('mcpReq') !== undefined) return true;
    const parent = pattern.getParent();
    const value = Node.isVariableDeclaration(parent) ? parent.getInitializer() : undefined;
    return value !== undefined && isOfContext(unwrap(value));
}

/** Whether more is done with a value than to log it; a variable that holds it is followed. */
function isUsed(read: Node, depth = 0): boolean {
    const held = Node.isBindingElement(read) ? read : heldBy(read);
    if (held !== undefined && depth < 3) {
        const name = held.getNameNode();
        if (!Node.isIdentifier(name)) return true;
        return usesOf(name).some(use => isUsed(use, depth + 1));
    }
    for (const ancestor of read.getAncestors()) {
        if (Node.isCallExpression(ancestor)) {
            const name = calleeName(ancestor) ?? '';
            if (isLogging(unwrap(ancestor.getExpression()), name) || NOTIFYING_METHOD.test(name)) return false;
            if (!/^(?:slice|substring|String|toString)$/.test(name)) return true;
        } else if (Node.isStatement(ancestor)) return true;
    }
    return true;
}

function heldBy(read: Node) {
    const parent = outermost(read).getParent();
    return Node.isVariableDeclaration(parent) ? parent : undefined;
}

/**
 * What a handler changes and keeps between requests in the function that makes its server: a variable of that function,
 * or a field of an object that is made there. In 2025 the session had it; on 2026-07-28 each request has a server of its
 * own, and begins anew.
 */
export function keptInFactory({ fn }: Registration): Node | undefined {
    if (fn === undefined) return undefined;
    const functions = [fn, ...callTree(fn, 2)];
    for (const one of functions) {
        for (const node of one.getDescendants()) {
            const root = changedBy(node);
            if (root !== undefined && isOfFactory(root, functions)) return node;
        }
    }
    return undefined;
}

/** The variable, or `this`, that a node changes something in. What fills it once is made anew without harm. */
function changedBy(node: Node): Node | undefined {
    if (Node.isBinaryExpression(node)) {
        return /^(?:[-+*/%&|^]|\*\*|<<|>>>?)?=$/.test(node.getOperatorToken().getText())
            ? chainRoot(node.getLeft())
            : undefined;
    }
    if (Node.isPrefixUnaryExpression(node) || Node.isPostfixUnaryExpression(node)) {
        const counts = [SyntaxKind.PlusPlusToken, SyntaxKind.MinusMinusToken].includes(node.getOperatorToken());
        return counts ? chainRoot(node.getOperand()) : undefined;
    }
    if (!Node.isCallExpression(node) || !MUTATING_METHODS.has(calleeName(node) ?? '')) return undefined;
    const object = memberObject(unwrap(node.getExpression()));
    return object === undefined ? undefined : chainRoot(object);
}

function isOfFactory(root: Node, handler: readonly FunctionNode[]): boolean {
    if (Node.isThisExpression(root)) {
        const name = root.getFirstAncestor(Node.isClassDeclaration)?.getNameNode();
        return (
            name !== undefined &&
            usesOf(name).some(use => Node.isNewExpression(use.getParent()) && enclosingFunction(use) !== undefined)
        );
    }
    const declaration = Node.isIdentifier(root) ? root.getSymbol()?.getDeclarations()[0] : undefined;
    if (!Node.isVariableDeclaration(declaration) || enclosingFunction(declaration) === undefined) return false;
    return !handler.some(fn => contains(fn, declaration));
}
