import { Node, SyntaxKind } from 'ts-morph';
import { MUTATING_METHODS, REMOTE_WRITE } from '../facts/effects.js';
import { calledFunction } from './functionValues.js';
import { notJson } from './jsonType.js';
import { homeOf } from './outsideCalls.js';
import { calleeName, chainRoot, contains, memberObject, outermost, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';
import { referencesTo } from './references.js';

/*
 * A piece that runs once per call must change nothing that the next round makes anew, and what it returns is a copy from
 * then on. These are the questions whether that could be noticed.
 */

/** A variable of this run that lives outside of the piece. */
function localVariable(expression: Node, unit: Node, frame: FunctionNode): Node | undefined {
    const root = chainRoot(expression);
    if (!Node.isIdentifier(root)) return undefined;
    const declaration = root.getSymbol()?.getDeclarations()[0];
    if (declaration === undefined || contains(unit, declaration) || !contains(frame, declaration)) return undefined;
    return declaration;
}

/** The name of a local variable that a part of the piece changes, so that the next round would not see the change. */
export function changedLocal(part: Node, unit: Node, frame: FunctionNode): string | undefined {
    const target = assignedBy(part);
    if (target !== undefined && localVariable(target, unit, frame) !== undefined) return chainRoot(target).getText();
    if (!Node.isCallExpression(part) && !Node.isNewExpression(part)) return undefined;
    const object = Node.isCallExpression(part) ? memberObject(unwrap(part.getExpression())) : undefined;
    if (object !== undefined && Node.isCallExpression(part)) {
        const declaration = localVariable(object, unit, frame);
        const name = calleeName(part) ?? '';
        const changes = (): boolean =>
            MUTATING_METHODS.has(name) ||
            (notJson(chainRoot(object).getType(), object) !== undefined && changesHandle(part, name));
        if (declaration !== undefined && changes() && usedOutside(declaration, unit))
            return chainRoot(object).getText();
    }
    return part
        .getArguments()
        .map(argument => keptObject(argument, part, unit, frame))
        .find(name => name !== undefined);
}

export function assignedBy(part: Node): Node | undefined {
    if (isAssigning(part) && Node.isBinaryExpression(part)) return part.getLeft();
    if (Node.isDeleteExpression(part)) return part.getExpression();
    if (!Node.isPrefixUnaryExpression(part) && !Node.isPostfixUnaryExpression(part)) return undefined;
    const operator: SyntaxKind = part.getOperatorToken();
    const changes = operator === SyntaxKind.PlusPlusToken || operator === SyntaxKind.MinusMinusToken;
    return changes ? part.getOperand() : undefined;
}

/** A local handle keeps what `connect` or `begin` does to it; of `insert` and its kin others keep it. */
function changesHandle(call: Node, name: string): boolean {
    if (!Node.isCallExpression(call) || calledFunction(call) !== undefined) return true;
    if (homeOf(unwrap(call.getExpression())).kind === 'language') return false;
    return (
        !REMOTE_WRITE.test(name) &&
        !/^(?:get|list|find|fetch|read|load|query|search|count|exists?|has|select)(?![a-z])/.test(name)
    );
}

/** An object of this run that is given to code which may change it, and is used again later. */
function keptObject(argument: Node, call: Node, unit: Node, frame: FunctionNode): string | undefined {
    const value = unwrap(argument);
    if (!Node.isIdentifier(value)) return undefined;
    const declaration = localVariable(value, unit, frame);
    if (declaration === undefined || isImmutable(value.getType()) || !usedOutside(declaration, unit)) return undefined;
    const own = Node.isCallExpression(call) ? calledFunction(call) : undefined;
    if (own !== undefined && Node.isCallExpression(call)) {
        const index = call.getArguments().findIndex(one => unwrap(one) === value);
        const parameter = own.getParameters()[index];
        return parameter !== undefined && isOnlyRead(parameter, new Set()) ? undefined : value.getText();
    }
    const home = Node.isCallExpression(call) ? homeOf(unwrap(call.getExpression())).kind : 'language';
    return home === 'package' || home === 'unknown' ? value.getText() : undefined;
}

function isImmutable(type: ReturnType<Node['getType']>): boolean {
    if (type.isUnion()) return type.getUnionTypes().every(isImmutable);
    return !type.isObject() && !type.isAny() && !type.isUnknown();
}

/** Whether a function only reads a parameter: no assignment below it, no mutating method, no handing on. */
function isOnlyRead(parameter: Node, seen: Set<Node>): boolean {
    if (!Node.isParameterDeclaration(parameter)) return false;
    const name = parameter.getNameNode();
    // What is taken apart are members: those that are objects could be changed, which is rare enough to be looked for.
    if (!Node.isIdentifier(name)) return true;
    if (seen.has(parameter)) return true;
    seen.add(parameter);
    return referencesTo(name).every(use => use === name || isRead(use, seen));
}

function isRead(use: Node, seen: Set<Node>): boolean {
    let at: Node = use;
    for (let parent = at.getParent(); parent !== undefined; parent = at.getParent()) {
        if (assignedBy(parent) === at) return false;
        if (memberObject(parent) === at) {
            const call = parent.getParent();
            if (Node.isCallExpression(call) && call.getExpression() === parent)
                return !MUTATING_METHODS.has(calleeName(call) ?? '');
            at = parent;
            continue;
        }
        if (Node.isCallExpression(parent) && parent.getExpression() !== at) {
            const own = calledFunction(parent);
            if (own === undefined)
                return (
                    ['language', 'node'].includes(homeOf(unwrap(parent.getExpression())).kind) ||
                    isImmutable(at.getType())
                );
            const target = own.getParameters()[parent.getArguments().findIndex(argument => argument === at)];
            return target !== undefined && isOnlyRead(target, seen);
        }
        if (Node.isAsExpression(parent) || Node.isNonNullExpression(parent) || Node.isParenthesizedExpression(parent)) {
            at = parent;
            continue;
        }
        return true;
    }
    return true;
}

function usedOutside(declaration: Node, unit: Node): boolean {
    const name = 'getNameNode' in declaration ? (declaration as { getNameNode(): Node }).getNameNode() : undefined;
    if (!Node.isIdentifier(name)) return true;
    return referencesTo(name).some(use => use !== name && !contains(unit, use) && use.getStart() > unit.getStart());
}

/** A variable that takes the value and is changed later: where the value was the project's own object, a copy is another. */
export function changedLater(at: Node): string | undefined {
    const own = [at, ...at.getDescendants()].some(
        one => Node.isCallExpression(one) && calledFunction(one) !== undefined
    );
    if (!own) return undefined;
    let holder = outermost(at).getParent();
    if (Node.isAwaitExpression(holder)) holder = outermost(holder).getParent();
    if (!Node.isVariableDeclaration(holder)) return undefined;
    const name = holder.getNameNode();
    if (!Node.isIdentifier(name) || isImmutable(name.getType())) return undefined;
    const changes = referencesTo(name).some(use => use !== name && !isRead(use, new Set()));
    return changes ? name.getText() : undefined;
}

export function isAssigning(node: Node): boolean {
    if (!Node.isBinaryExpression(node)) return false;
    const kind = node.getOperatorToken().getKind();
    return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}
