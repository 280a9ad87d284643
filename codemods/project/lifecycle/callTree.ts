import { Node, SyntaxKind } from 'ts-morph';
import { calledFunction, functionBehind } from '../functionValues.js';
import { contains, isFunctionNode } from '../syntax.js';
import type { FunctionNode } from '../syntax.js';

/** Deep enough for every hook that was looked at; what lies deeper is the business of others. */
const DEPTH = 5;

/** The functions of the project that a piece of code runs, itself left out: called, or given to a timer. */
export function callTree(code: Node, depth = DEPTH): Set<FunctionNode> {
    const found = new Set<FunctionNode>();
    let open: Node[] = [code];
    for (let level = 0; level < depth && open.length > 0; level++) {
        const next: Node[] = [];
        for (const node of open) {
            for (const fn of functionsUsedIn(node)) {
                if (found.has(fn)) continue;
                found.add(fn);
                next.push(fn);
            }
        }
        open = next;
    }
    return found;
}

function functionsUsedIn(code: Node): FunctionNode[] {
    return [code, ...code.getDescendants()].flatMap(node => {
        if (!Node.isCallExpression(node)) return [];
        const given = node.getArguments().flatMap(argument => {
            const fn = Node.isIdentifier(argument) ? functionBehind(argument) : undefined;
            return fn === undefined ? [] : [fn];
        });
        const called = calledFunction(node);
        return called === undefined ? given : [called, ...given];
    });
}

/** Whether a piece of code holds one of the nodes, or runs a function that does. */
export function leadsTo(code: Node, targets: ReadonlySet<Node>): boolean {
    const holds = (node: Node): boolean => [...targets].some(target => contains(node, target));
    return holds(code) || [...callTree(code)].some(holds);
}

/** The statements of a function, one for a function that is only an expression. */
export function statementsOf(fn: FunctionNode): Node[] {
    const body = fn.getBody();
    if (body === undefined) return [];
    return Node.isBlock(body) ? body.getStatements() : [body];
}

/** Identifiers in a piece of code that stand for something declared outside of it. */
export function freeIdentifiers(code: Node): Node[] {
    return [code, ...code.getDescendantsOfKind(SyntaxKind.Identifier)].filter(node => {
        if (!Node.isIdentifier(node)) return false;
        const parent = node.getParent();
        if (Node.isPropertyAccessExpression(parent) && parent.getNameNode() === node) return false;
        if (Node.isPropertyAssignment(parent) && parent.getNameNode() === node) return false;
        return !(node.getSymbol()?.getDeclarations() ?? []).some(declaration => contains(code, declaration));
    });
}

/** The nearest function, block or file in which a declaration is known. */
export function scopeOf(declaration: Node): Node {
    const found = declaration.getFirstAncestor(
        node => isFunctionNode(node) || Node.isBlock(node) || Node.isSourceFile(node) || Node.isModuleBlock(node)
    );
    return found ?? declaration.getSourceFile();
}
