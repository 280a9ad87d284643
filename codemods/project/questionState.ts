import { Node, VariableDeclarationKind } from 'ts-morph';
import { assignedBy } from './localChanges.js';
import { usesOf } from './references.js';
import { enclosingFunction } from './syntax.js';

/**
 * Reads, in what a question is made of, of variables of a module that code assigns later: another call may have changed
 * them by the next round, and the question must be the same then. Constants of the function are looked through.
 */
export function changeableReads(question: readonly Node[], depth = 0): Node[] {
    return question.flatMap(part =>
        [part, ...part.getDescendants()].flatMap(node => {
            if (!Node.isIdentifier(node)) return [];
            const declaration = node.getSymbol()?.getDeclarations()[0];
            if (!Node.isVariableDeclaration(declaration) || declaration.getNameNode() === node) return [];
            if (enclosingFunction(declaration) !== undefined) {
                const value = declaration.getInitializer();
                const followed = value !== undefined && depth < 2 && !Node.isAwaitExpression(value);
                return followed ? changeableReads([value], depth + 1) : [];
            }
            return isReassigned(declaration) ? [node] : [];
        })
    );
}

function isReassigned(declaration: Node): boolean {
    if (!Node.isVariableDeclaration(declaration)) return false;
    const name = declaration.getNameNode();
    const kind = declaration.getVariableStatement()?.getDeclarationKind();
    if (kind === undefined || kind === VariableDeclarationKind.Const || !Node.isIdentifier(name)) return false;
    return usesOf(name).some(use => {
        const parent = use.getParent();
        return parent !== undefined && enclosingFunction(use) !== undefined && assignedBy(parent) === use;
    });
}
