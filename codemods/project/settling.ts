import { Node, SyntaxKind } from 'ts-morph';
import { surroundings } from './before.js';
import type { Reached } from './reach.js';
import { enclosingFunction, isFunctionNode, outermost } from './syntax.js';
import type { FunctionNode } from './syntax.js';

/**
 * Whether asks of one call start side by side after other awaits, as in `Promise.all(items.map(async item => …))`: they
 * come at times of their own, and the engine has to wait a little so that they go out together (engine rule 2).
 */
export function startsBesideOthers(node: Node, reached: Reached, awaited = false, seen = new Set<Reached>()): boolean {
    let late = awaited;
    let child = node;
    for (let fn = enclosingFunction(node); fn !== undefined; fn = enclosingFunction(fn)) {
        late ||= surroundings(child, fn).before.some(piece => awaitsIn(piece, fn));
        if (late && isConcurrent(fn)) return true;
        if (fn === reached.fn) break;
        child = fn;
    }
    if (seen.has(reached)) return false;
    seen.add(reached);
    return reached.calls.some(
        ({ call, caller }) => (late && isElement(call)) || startsBesideOthers(call, caller, late, seen)
    );
}

function awaitsIn(piece: Node, home: FunctionNode | undefined): boolean {
    return [piece, ...piece.getDescendantsOfKind(SyntaxKind.AwaitExpression)].some(
        one => Node.isAwaitExpression(one) && enclosingFunction(one) === home
    );
}

/** A callback that runs once per item, of which all are waited for together. */
function isConcurrent(fn: Node): boolean {
    if (!isFunctionNode(fn)) return false;
    const call = outermost(fn).getParent();
    if (!Node.isCallExpression(call)) return false;
    const method = call.getExpression();
    if (!Node.isPropertyAccessExpression(method)) return false;
    // A function that is called at once, in a list.
    return method.getName() === 'map' || method.getName() === 'flatMap' || isElement(call);
}

/** `Promise.all([a(), b()])`. */
function isElement(call: Node): boolean {
    const list = outermost(call).getParent();
    const all = Node.isArrayLiteralExpression(list) ? list.getParent() : undefined;
    return Node.isCallExpression(all) && /^Promise\.all(?:Settled)?$/.test(all.getExpression().getText());
}
