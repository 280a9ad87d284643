import { Node } from 'ts-morph';
import { calledFunction } from './functionValues.js';
import type { FunctionNode } from './syntax.js';
import { contains } from './syntax.js';

interface Mentions {
    /** Text of an identifier → where it stands. */
    names: Map<string, Node[]>;
    /** Calls of functions of the project. */
    calls: { call: Node; fn: FunctionNode }[];
}

/** Finds where code reads a variable or member: the name itself, or the call of a function of the project that reads it. */
export class StateReads {
    private readonly mentions = new Map<Node, Mentions>();

    /** @param change the change of that state: what only writes to it reads nothing. */
    of(piece: Node, state: Node, change: Node): Node[] {
        const name = 'getName' in state ? (state as { getName(): string }).getName() : undefined;
        return name === undefined ? [] : this.in(piece, { state, name, change, seen: new Map() });
    }

    private in(piece: Node, wanted: Wanted): Node[] {
        const { names, calls } = this.mentionsIn(piece);
        const named = (names.get(wanted.name) ?? []).filter(name => isReadOf(name, wanted)).map(readExpression);
        const called = calls.filter(({ call, fn }) => call !== wanted.change && this.inBody(fn, wanted));
        return [...named, ...called.map(({ call }) => call)];
    }

    private inBody(fn: FunctionNode, wanted: Wanted): boolean {
        const known = wanted.seen.get(fn);
        if (known !== undefined) return known;
        wanted.seen.set(fn, false);
        const body = fn.getBody();
        const reads = body !== undefined && this.in(body, wanted).length > 0;
        wanted.seen.set(fn, reads);
        return reads;
    }

    private mentionsIn(piece: Node): Mentions {
        const known = this.mentions.get(piece);
        if (known !== undefined) return known;
        const found: Mentions = { names: new Map(), calls: [] };
        for (const node of [piece, ...piece.getDescendants()]) {
            if (Node.isIdentifier(node)) {
                const text = node.getText();
                found.names.set(text, [...(found.names.get(text) ?? []), node]);
            } else if (Node.isCallExpression(node)) {
                const fn = calledFunction(node);
                if (fn !== undefined) found.calls.push({ call: node, fn });
            }
        }
        this.mentions.set(piece, found);
        return found;
    }
}

interface Wanted {
    state: Node;
    name: string;
    change: Node;
    seen: Map<FunctionNode, boolean>;
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
