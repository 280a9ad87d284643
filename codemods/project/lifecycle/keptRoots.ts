import { Node, SyntaxKind } from 'ts-morph';
import { MUTATING_METHODS } from '../../facts/effects.js';
import { contains, memberName, memberObject, unwrap } from '../syntax.js';
import type { FunctionNode } from '../syntax.js';
import { referencesTo } from '../references.js';

/** Names declared outside of some functions that these functions write to: where the roots are kept. */
export function writtenOutside(functions: ReadonlySet<Node>): Set<Node> {
    const written = new Set<Node>();
    const inside = (node: Node): boolean => [...functions].some(fn => contains(fn, node));
    for (const fn of functions) {
        for (const node of fn.getDescendants()) {
            const target = writtenBy(node);
            if (target === undefined) continue;
            const name = Node.isIdentifier(target) ? target : undefined;
            const declaration = name?.getSymbol()?.getDeclarations()[0];
            if (declaration === undefined || inside(declaration)) continue;
            const declared = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
            if (declared !== undefined && Node.isIdentifier(declared)) written.add(declared);
        }
    }
    return written;
}

/** Whether code keeps something in a field, whose readers cannot be followed as those of a variable can. */
export function writesField(functions: ReadonlySet<Node>): Node | undefined {
    for (const fn of functions) {
        for (const node of fn.getDescendantsOfKind(SyntaxKind.BinaryExpression)) {
            if (!isAssignment(node)) continue;
            const left = unwrap(node.getLeft());
            if (memberName(left) !== undefined && Node.isThisExpression(rootOf(left))) return node;
        }
    }
    return undefined;
}

function writtenBy(node: Node): Node | undefined {
    if (Node.isBinaryExpression(node) && isAssignment(node)) return rootOf(unwrap(node.getLeft()));
    if (!Node.isCallExpression(node)) return undefined;
    const callee = unwrap(node.getExpression());
    const name = memberName(callee);
    const object = memberObject(callee);
    return name !== undefined && object !== undefined && MUTATING_METHODS.has(name) ? rootOf(object) : undefined;
}

const isAssignment = (node: Node): boolean =>
    Node.isBinaryExpression(node) && /^(?:\|\||&&|\?\?|\+)?=$/.test(node.getOperatorToken().getText());

function rootOf(node: Node): Node {
    let current = unwrap(node);
    for (let object = memberObject(current); object !== undefined; object = memberObject(current)) {
        current = unwrap(object);
    }
    return current;
}

/** Places outside of some functions that read a name. */
export function readersOf(name: Node, functions: ReadonlySet<Node | FunctionNode>): Node[] {
    if (!Node.isIdentifier(name)) return [];
    return referencesTo(name).filter(use => {
        if (use === name || [...functions].some(fn => contains(fn, use))) return false;
        const parent = use.getParent();
        if (Node.isImportSpecifier(parent) || Node.isExportSpecifier(parent)) return false;
        return !(Node.isBinaryExpression(parent) && parent.getLeft() === use && isAssignment(parent));
    });
}
