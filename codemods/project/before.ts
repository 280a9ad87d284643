import { Node, SyntaxKind } from 'ts-morph';
import { isFunctionNode } from './syntax.js';
import type { FunctionNode } from './syntax.js';

/** What surrounds a call inside its frame and changes what "again from the top" means. */
export interface Surroundings {
    /** Pieces of code that may have run in this frame before the call does. */
    before: Node[];
    /** A `finally` clause of a `try` around the call. */
    finallyAround: Node | undefined;
    /** A loop (or a callback that runs once per item) around the call. */
    loop: Node | undefined;
}

/**
 * Walks from a node up to its frame and collects what is evaluated earlier. Branches that cannot reach the node are
 * left out (`if (x) { …; return; }` above it, other clauses of a `switch`); in a loop the whole body counts, because
 * the previous turn ran it. Over-approximates: a piece may be listed that does not run, none is missed that does.
 */
export function surroundings(node: Node, frame: FunctionNode | undefined): Surroundings {
    const found: Surroundings = { before: [], finallyAround: undefined, loop: undefined };
    let child: Node = node;
    let parent = node.getParent();
    while (parent !== undefined && child !== frame) {
        visitParent(parent, child, found);
        child = parent;
        parent = parent.getParent();
    }
    return found;
}

function visitParent(parent: Node, child: Node, found: Surroundings): void {
    const { before } = found;
    if (Node.isBlock(parent) || Node.isCaseClause(parent) || Node.isDefaultClause(parent)) {
        for (const statement of parent.getStatements()) {
            if (statement === child) break;
            before.push(...reachablePast(statement));
        }
        return;
    }
    if (Node.isCaseBlock(parent)) {
        before.push(...fallThroughInto(parent.getClauses(), child));
        return;
    }
    if (Node.isIfStatement(parent) || Node.isWhileStatement(parent) || Node.isSwitchStatement(parent)) {
        if (parent.getExpression() !== child) before.push(parent.getExpression());
    }
    if (isLoop(parent)) {
        found.loop = parent;
        before.push(...loopParts(parent, child));
        return;
    }
    if (Node.isTryStatement(parent)) {
        if (child === parent.getCatchClause()) before.push(parent.getTryBlock());
        if (parent.getFinallyBlock() !== undefined && child !== parent.getFinallyBlock()) {
            found.finallyAround ??= parent.getFinallyBlock();
        }
        if (child === parent.getFinallyBlock()) {
            before.push(parent.getTryBlock());
            const clause = parent.getCatchClause();
            if (clause !== undefined) before.push(clause);
        }
        return;
    }
    if (isFunctionNode(child) && Node.isCallExpression(parent) && runsPerItem(parent)) {
        found.loop ??= parent;
        const body = child.getBody();
        if (body !== undefined) before.push(body);
    }
    // Operands, arguments, properties and declarations are evaluated from left to right.
    for (const sibling of parent.forEachChildAsArray()) {
        if (sibling === child) break;
        if (!isFunctionNode(sibling) && !Node.isStatement(sibling)) before.push(sibling);
    }
}

const LOOPS: ReadonlySet<SyntaxKind> = new Set([
    SyntaxKind.ForStatement,
    SyntaxKind.ForOfStatement,
    SyntaxKind.ForInStatement,
    SyntaxKind.WhileStatement,
    SyntaxKind.DoStatement
]);

const isLoop = (node: Node): boolean => LOOPS.has(node.getKind());

/**
 * Everything of a loop after which there may be another turn: the turn before may have run all of it. The piece that holds
 * the node is searched too.
 */
function loopParts(loop: Node, child: Node): Node[] {
    return loop
        .forEachChildAsArray()
        .filter(part => part !== child || Node.isStatement(part))
        .flatMap(part => (Node.isStatement(part) ? reachablePast(part) : [part]));
}

const PER_ITEM: ReadonlySet<string> = new Set([
    'map',
    'forEach',
    'flatMap',
    'filter',
    'reduce',
    'reduceRight',
    'some',
    'every',
    'find',
    'findIndex',
    'sort'
]);

function runsPerItem(call: Node): boolean {
    if (!Node.isCallExpression(call)) return false;
    const callee = call.getExpression();
    return Node.isPropertyAccessExpression(callee) && PER_ITEM.has(callee.getName());
}

/** The parts of an earlier statement after which the code below it can still be reached. */
function reachablePast(statement: Node): Node[] {
    if (isFunctionNode(statement) || Node.isClassDeclaration(statement)) return [];
    if (leaves(statement)) return [];
    if (Node.isIfStatement(statement)) {
        const parts: Node[] = [statement.getExpression(), ...reachablePast(statement.getThenStatement())];
        const otherwise = statement.getElseStatement();
        return otherwise === undefined ? parts : [...parts, ...reachablePast(otherwise)];
    }
    if (Node.isBlock(statement)) return statement.getStatements().flatMap(reachablePast);
    if (Node.isSwitchStatement(statement)) {
        const clauses = statement.getClauses().filter(clause => !leavesAtEnd(clause.getStatements()));
        return [statement.getExpression(), ...clauses];
    }
    if (Node.isTryStatement(statement)) {
        const parts: Node[] = [statement.getTryBlock()];
        const clause = statement.getCatchClause();
        if (clause !== undefined && !leaves(clause.getBlock())) parts.push(clause);
        const last = statement.getFinallyBlock();
        return last === undefined ? parts : [...parts, last];
    }
    return [statement];
}

/** Whether a statement never completes normally, as far as its own syntax shows. */
function leaves(statement: Node): boolean {
    if (Node.isReturnStatement(statement) || Node.isThrowStatement(statement)) return true;
    if (Node.isBlock(statement)) return leavesAtEnd(statement.getStatements());
    if (Node.isIfStatement(statement)) {
        const otherwise = statement.getElseStatement();
        return otherwise !== undefined && leaves(statement.getThenStatement()) && leaves(otherwise);
    }
    return false;
}

const leavesAtEnd = (statements: Node[]): boolean => statements.some(leaves);

/** Clauses above the one with the node, as far down as control can fall through into it. */
function fallThroughInto(clauses: Node[], child: Node): Node[] {
    const index = clauses.indexOf(child);
    const falling: Node[] = [];
    for (let at = index - 1; at >= 0; at--) {
        const clause = clauses[at];
        if (clause === undefined || !(Node.isCaseClause(clause) || Node.isDefaultClause(clause))) break;
        const statements = clause.getStatements();
        if (leavesAtEnd(statements) || statements.some(endsSwitch)) break;
        falling.push(...statements.flatMap(reachablePast));
    }
    return falling;
}

function endsSwitch(statement: Node): boolean {
    if (Node.isBreakStatement(statement) || Node.isContinueStatement(statement)) return true;
    return Node.isBlock(statement) && statement.getStatements().some(endsSwitch);
}

/** Whether `first` may have been evaluated by the time `second` is, both inside `frame`. */
export function mayPrecede(first: Node, second: Node, frame: FunctionNode | undefined): boolean {
    return surroundings(second, frame).before.some(
        piece =>
            piece.getSourceFile() === first.getSourceFile() &&
            piece.getPos() <= first.getPos() &&
            piece.getEnd() >= first.getEnd()
    );
}
