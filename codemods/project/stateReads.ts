import { Node } from 'ts-morph';
import { calledFunction } from './functionValues.js';
import type { FunctionNode } from './syntax.js';
import { contains } from './syntax.js';

/**
 * Where a piece of code reads a variable or member: the name itself, or the call of a function of the project that reads
 * it.
 *
 * @param change the change of that state: what only writes to it reads nothing.
 */
export function stateReads(piece: Node, state: Node, change: Node): Node[] {
    const name = 'getName' in state ? (state as { getName(): string }).getName() : undefined;
    return name === undefined ? [] : readsIn(piece, { state, name, change, seen: new Map() });
}

interface Wanted {
    state: Node;
    name: string;
    change: Node;
    seen: Map<FunctionNode, boolean>;
}

function readsIn(piece: Node, wanted: Wanted): Node[] {
    return [piece, ...piece.getDescendants()].flatMap(node => {
        if (Node.isIdentifier(node)) return isReadOf(node, wanted) ? [readExpression(node)] : [];
        if (!Node.isCallExpression(node) || node === wanted.change) return [];
        const own = calledFunction(node);
        return own !== undefined && readsInBody(own, wanted) ? [node] : [];
    });
}

function readsInBody(fn: FunctionNode, wanted: Wanted): boolean {
    const known = wanted.seen.get(fn);
    if (known !== undefined) return known;
    wanted.seen.set(fn, false);
    const body = fn.getBody();
    const reads = body !== undefined && readsIn(body, wanted).length > 0;
    wanted.seen.set(fn, reads);
    return reads;
}

function isReadOf(name: Node, { state, name: wanted, change }: Wanted): boolean {
    if (name.getText() !== wanted || name.getSymbol()?.getDeclarations()[0] !== state) return false;
    if (contains(change, name)) return false;
    if (name.getParent() === state) return false;
    const whole = memberOf(name);
    const parent = whole.getParent();
    return !(
        Node.isBinaryExpression(parent) &&
        parent.getLeft() === whole &&
        parent.getOperatorToken().getText() === '='
    );
}

/** `this.calls` for the name in it. */
function memberOf(name: Node): Node {
    const parent = name.getParent();
    return Node.isPropertyAccessExpression(parent) && parent.getNameNode() === name ? parent : name;
}

/** What is had from the state: `seen.has(id)` of `seen`, `calls` of `calls + 1`. */
function readExpression(name: Node): Node {
    let at = memberOf(name);
    for (let parent = at.getParent(); parent !== undefined; parent = at.getParent()) {
        const goesOn =
            (Node.isPropertyAccessExpression(parent) ||
                Node.isElementAccessExpression(parent) ||
                Node.isCallExpression(parent)) &&
            parent.getExpression() === at;
        if (!goesOn) return at;
        at = parent;
    }
    return at;
}
