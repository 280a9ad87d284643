import { Node } from 'ts-morph';
import type { Span } from '../facts/facts.js';
import { spanOf } from './contextParameters.js';
import { outermost } from './syntax.js';
import { usesOf } from './references.js';

/**
 * The statements that make a completion notifier and call it, when that is all that is done with it: revision 2026-07-28
 * has no such notification, and the client sends the call again by itself.
 */
export function completionStatements(call: Node): Span[] | undefined {
    const made = outermost(call);
    const parent = made.getParent();
    if (Node.isCallExpression(parent) && parent.getExpression() === made) return spansOf([statementOf(parent)]);
    if (!Node.isVariableDeclaration(parent)) return undefined;
    const statement = parent.getVariableStatement();
    const name = parent.getNameNode();
    if (statement?.getDeclarations().length !== 1 || !Node.isIdentifier(name)) return undefined;
    const calls = usesOf(name);
    return spansOf([
        statement,
        ...calls.map(use => {
            const called = use.getParent();
            return Node.isCallExpression(called) && called.getExpression() === use ? statementOf(called) : undefined;
        })
    ]);
}

/** The statement that a call is, with `await`, `void` or `.catch(…)` and nothing else. */
function statementOf(call: Node): Node | undefined {
    let node = call;
    for (let parent = node.getParent(); parent !== undefined; parent = node.getParent()) {
        if (Node.isExpressionStatement(parent)) {
            return Node.isBlock(parent.getParent()) || Node.isSourceFile(parent.getParent()) ? parent : undefined;
        }
        const caught = Node.isPropertyAccessExpression(parent) && ['catch', 'finally'].includes(parent.getName());
        const calls =
            Node.isCallExpression(parent) && parent.getExpression() === node && Node.isPropertyAccessExpression(node);
        if (!caught && !calls && !Node.isAwaitExpression(parent) && !Node.isVoidExpression(parent)) return undefined;
        node = parent;
    }
    return undefined;
}

function spansOf(statements: readonly (Node | undefined)[]): Span[] | undefined {
    const known = statements.filter(one => one !== undefined);
    return known.length === statements.length ? known.map(spanOf) : undefined;
}
