import { Node } from 'ts-morph';
import { isFunctionNode, outermost } from '../syntax.js';
import type { Ask } from './asks.js';
import { observe } from './observation.js';
import type { Observation } from './observation.js';

/** A person may decline or cancel; code that takes every answer for a yes does what it was not allowed to. */
export function ignoredAnswer({ node, kind, style, api }: Ask): Observation[] {
    if (style === 'result' || (kind !== 'elicit' && kind !== 'elicitUrl')) return [];
    const awaited = outermost(node).getParent();
    if (!Node.isAwaitExpression(awaited)) return [];
    const outer = outermost(awaited);
    // A transport only sends; the answer comes elsewhere.
    if (outer.getType().isVoid() || outer.getType().isUndefined()) return [];
    const parent = outer.getParent();
    if (Node.isExpressionStatement(parent))
        return kind === 'elicitUrl' ? [] : [observe('answer-ignored', 'dropped', node, { api })];
    if (Node.isPropertyAccessExpression(parent)) {
        return parent.getName() === 'content' && !isTested(parent)
            ? [observe('answer-ignored', 'action', node, { api })]
            : [];
    }
    if (!Node.isVariableDeclaration(parent)) return [];
    const name = parent.getNameNode();
    if (Node.isObjectBindingPattern(name)) {
        const elements = name.getElements();
        const known = elements.map(one => one.getPropertyNameNode()?.getText() ?? one.getName());
        if (known.includes('action') || elements.some(one => one.getDotDotDotToken() !== undefined)) return [];
        const content = elements
            .find(one => (one.getPropertyNameNode()?.getText() ?? one.getName()) === 'content')
            ?.getNameNode();
        const looked =
            Node.isIdentifier(content) && content.findReferencesAsNodes().some(use => use !== content && looksAt(use));
        return looked ? [] : [observe('answer-ignored', 'action', node, { api })];
    }
    if (!Node.isIdentifier(name)) return [];
    const uses = name.findReferencesAsNodes().filter(use => use !== name);
    if (uses.length === 0) return [observe('answer-ignored', 'dropped', node, { api })];
    return uses.some(looksAt) ? [] : [observe('answer-ignored', 'action', node, { api })];
}

/** Whether a use of the answer may tell a decline from a yes. What is handed on is looked at elsewhere. */
function looksAt(use: Node): boolean {
    const outer = outermost(use);
    const parent = outer.getParent();
    if (Node.isPropertyAccessExpression(parent)) return parent.getName() !== 'content' || isTested(parent);
    return true;
}

/** `answer.content` in a condition, or with something to fall back on: a decline has none. */
function isTested(content: Node): boolean {
    let child: Node = content;
    for (let at = content.getParent(); at !== undefined; at = at.getParent()) {
        if (Node.isIfStatement(at) || Node.isConditionalExpression(at) || Node.isWhileStatement(at)) {
            const condition = Node.isConditionalExpression(at) ? at.getCondition() : at.getExpression();
            return condition === child;
        }
        if (Node.isPrefixUnaryExpression(at) || Node.isSwitchStatement(at)) return true;
        if (Node.isBinaryExpression(at) && /^(?:[!=]==?|&&|\|\||[<>]=?)$/.test(at.getOperatorToken().getText()))
            return true;
        // A schema that throws, a function that looks: what it is given to may tell.
        if (Node.isCallExpression(at) && child === outermost(content) && at.getArguments().some(one => one === child))
            return true;
        if (Node.isVariableDeclaration(at)) {
            const name = at.getNameNode();
            if (!Node.isIdentifier(name))
                return (
                    Node.isObjectBindingPattern(name) &&
                    name.getElements().some(one => usedInCondition(one.getNameNode()))
                );
            return usedInCondition(name);
        }
        if (Node.isStatement(at) || isFunctionNode(at)) return false;
        child = at;
    }
    return false;
}

function usedInCondition(name: Node): boolean {
    return Node.isIdentifier(name) && name.findReferencesAsNodes().some(use => use !== name && isTested(use));
}
