import { Node, SyntaxKind } from 'ts-morph';
import { isLogging } from '../outsideCalls.js';
import { calleeName, isFunctionNode, unwrap } from '../syntax.js';
import type { FunctionNode } from '../syntax.js';
import type { Ask } from './asks.js';
import { observe } from './observation.js';
import type { Observation } from './observation.js';
import type { Suspension } from './runtimeAsks.js';

/** What becomes of an ask that fails, where nobody hears of it. */
export function swallowed({ node, api, style }: Ask, frame: FunctionNode, { unwinds }: Suspension): Observation[] {
    const clause = swallowedBy(node, frame);
    if (clause === undefined) return [];
    const id = style === 'push' ? 'push' : unwinds ? 'unwound' : 'refused';
    const level = id === 'refused' ? { level: 'note' as const } : {};
    const related = [{ node: clause, text: 'the failure ends here' }];
    return [observe('swallowed-ask', id, node, { api }, { ...level, related })];
}

/**
 * The `catch` around an ask that goes on as if there had been an answer: it neither throws, nor says in its result what
 * went wrong.
 */
function swallowedBy(node: Node, frame: FunctionNode): Node | undefined {
    let child = node;
    for (let at = node.getParent(); at !== undefined && child !== frame; at = at.getParent()) {
        const clause = Node.isTryStatement(at) && at.getTryBlock() === child ? at.getCatchClause() : undefined;
        if (clause !== undefined)
            return isSilent(clause.getBlock(), clause.getVariableDeclaration()?.getName()) ? clause : undefined;
        const called = Node.isPropertyAccessExpression(at) && at.getName() === 'catch' ? at.getParent() : undefined;
        const handler = Node.isCallExpression(called) ? called.getArguments()[0] : undefined;
        if (handler !== undefined && isFunctionNode(handler)) {
            const body = handler.getBody();
            return body !== undefined && isSilent(body, handler.getParameters()[0]?.getName()) ? handler : undefined;
        }
        child = at;
    }
    return undefined;
}

function isSilent(body: Node, error: string | undefined): boolean {
    if (body.getDescendantsOfKind(SyntaxKind.ThrowStatement).length > 0 || /\bisError\b/.test(body.getText()))
        return false;
    const uses =
        error === undefined
            ? []
            : body.getDescendantsOfKind(SyntaxKind.Identifier).filter(one => one.getText() === error);
    return uses.every(use =>
        use
            .getAncestors()
            .some(one => Node.isCallExpression(one) && isLogging(unwrap(one.getExpression()), calleeName(one) ?? ''))
    );
}
