import { Node } from 'ts-morph';
import { calleeName, enclosingFunction } from '../syntax.js';
import { referencesTo, usesOf } from '../references.js';

/** Registers a tool that runs as a task. SDK v2 has no tasks, so nothing in such a registration runs. */
const REGISTERS_TASK = 'registerToolTask';

/** Whether code runs in tasks of SDK v1 only: it stands in the registration of one, or in a function that only such code calls. */
export function onlyInTasks(node: Node, seen: ReadonlySet<Node> = new Set()): boolean {
    if (node.getFirstAncestor(one => Node.isCallExpression(one) && calleeName(one) === REGISTERS_TASK) !== undefined) {
        return true;
    }
    const fn = enclosingFunction(node);
    if (fn === undefined || seen.has(fn)) return false;
    const holder = Node.isFunctionDeclaration(fn) ? fn : fn.getParent();
    const name =
        Node.isFunctionDeclaration(holder) || Node.isVariableDeclaration(holder) ? holder.getNameNode() : undefined;
    if (name === undefined || !Node.isIdentifier(name)) return false;
    const uses = referencesTo(name).filter(use => use !== name && !Node.isExportSpecifier(use.getParent()));
    return uses.length > 0 && uses.every(use => onlyInTasks(use, new Set([...seen, fn])));
}

/** Whether a constant is used in tasks only. */
export function constantOfTasks(read: Node): boolean {
    const declaration = read.getFirstAncestor(Node.isVariableDeclaration);
    const name = declaration?.getNameNode();
    if (declaration === undefined || name === undefined || !Node.isIdentifier(name)) return onlyInTasks(read);
    const uses = usesOf(name);
    return uses.length > 0 && uses.every(use => onlyInTasks(use) || constantOfTasks(use));
}
