import { Node } from 'ts-morph';
import { mayPrecede } from './before.js';
import type { Reach, Reached } from './reach.js';

/** A site or a guard, with the function that can hand it the request's context, or why there is none. */
export interface Subject {
    id: string;
    node: Node;
    provider: Reached | string;
}

/** Whether two places can both be part of one run of a handler. */
export function shareRun(reach: Reach, one: Subject, other: Subject): boolean {
    if (typeof one.provider === 'string' || typeof other.provider === 'string') return false;
    const theirs = new Set(reach.handlersOf(other.provider));
    return reach.handlersOf(one.provider).some(handler => theirs.has(handler) && meet(one, other, handler));
}

/** In the handler's own code one of the two comes before the other: they are not in branches that exclude each other. */
function meet(one: Subject, other: Subject, handler: Reached): boolean {
    const second = entriesIn(handler, other);
    return entriesIn(handler, one).some(a =>
        second.some(b => a === b || mayPrecede(a, b, handler.fn) || mayPrecede(b, a, handler.fn))
    );
}

/** The nodes in a handler's own code through which a subject is reached. */
function entriesIn(handler: Reached, { node, provider }: Subject): Node[] {
    if (typeof provider === 'string') return [];
    if (provider === handler) return [node];
    const found: Node[] = [];
    const seen = new Set<Reached>();
    const visit = (reached: Reached): void => {
        if (seen.has(reached)) return;
        seen.add(reached);
        for (const { call, caller } of reached.calls) {
            if (caller === handler) found.push(call);
            else visit(caller);
        }
    };
    visit(provider);
    return found;
}

/**
 * Whether the failure of an ask may be caught on the way to its handler and go on as something else. Where the way is not
 * known it may; code that runs outside any request concerns no caller.
 */
export function mayBeSwallowed({ node, provider }: Subject, reach: Reach): boolean {
    if (reach.isDetached(node)) return false;
    if (isCaught(node)) return true;
    return typeof provider === 'string' || callersCatch(provider, new Set());
}

function callersCatch(reached: Reached, seen: Set<Reached>): boolean {
    if (seen.has(reached)) return false;
    seen.add(reached);
    if (reached.registrations.length === 0 && reached.calls.length === 0) return true;
    return reached.calls.some(({ call, caller }) => isCaught(call) || callersCatch(caller, seen));
}

/** A `try` with a `catch` around a node, or a `.catch(…)` behind it, that does not plainly throw again. */
function isCaught(node: Node): boolean {
    let child: Node = node;
    for (const ancestor of node.getAncestors()) {
        if (Node.isTryStatement(ancestor) && ancestor.getTryBlock() === child) {
            const block = ancestor.getCatchClause()?.getBlock();
            if (block !== undefined && !Node.isThrowStatement(block.getStatements().at(-1))) return true;
        }
        if (Node.isPropertyAccessExpression(ancestor) && ['catch', 'then', 'allSettled'].includes(ancestor.getName())) {
            return true;
        }
        child = ancestor;
    }
    return false;
}
