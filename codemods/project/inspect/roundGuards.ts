import { Node, SyntaxKind } from 'ts-morph';
import { isFunctionNode } from '../syntax.js';

/** What is another thing in each round. */
const OF_ROUND = /\b(?:inputResponses|requestState|acceptedContent|inputResponse|replaying|round)\b/;

/**
 * Whether a piece of code runs in one round only, because a condition on the answers or the state decides about it: a
 * branch of such an `if`, or what stands below one that leaves. Both are how hand-written rounds part.
 */
export function runsInOneRound(node: Node, frame: Node): boolean {
    let child = node;
    for (let at = node.getParent(); at !== undefined && child !== frame; at = at.getParent()) {
        const condition = conditionOver(at, child);
        if (condition !== undefined && isOfRound(condition)) return true;
        if ((Node.isBlock(at) || Node.isCaseClause(at)) && leftAbove(at.getStatements(), child)) return true;
        child = at;
    }
    return false;
}

function conditionOver(parent: Node, child: Node): Node | undefined {
    if (Node.isIfStatement(parent)) return parent.getExpression() === child ? undefined : parent.getExpression();
    if (Node.isConditionalExpression(parent))
        return parent.getCondition() === child ? undefined : parent.getCondition();
    if (Node.isSwitchStatement(parent)) return parent.getExpression() === child ? undefined : parent.getExpression();
    if (!Node.isBinaryExpression(parent) || parent.getRight() !== child) return undefined;
    return ['&&', '||', '??'].includes(parent.getOperatorToken().getText()) ? parent.getLeft() : undefined;
}

/** `if (answers) return done(answers);` above: what follows belongs to the rounds without. */
function leftAbove(statements: readonly Node[], child: Node): boolean {
    for (const statement of statements) {
        if (statement === child) return false;
        if (!Node.isIfStatement(statement) || !isOfRound(statement.getExpression())) continue;
        const branches = [statement.getThenStatement(), statement.getElseStatement()];
        if (branches.some(branch => branch !== undefined && leaves(branch))) return true;
    }
    return false;
}

function leaves(branch: Node): boolean {
    const last = Node.isBlock(branch) ? branch.getStatements().at(-1) : branch;
    return Node.isReturnStatement(last) || Node.isThrowStatement(last);
}

/** Reads what differs between rounds: itself, or through variables that were made of it. */
function isOfRound(expression: Node, depth = 0): boolean {
    if (OF_ROUND.test(expression.getText())) return true;
    if (depth > 3) return false;
    const names = [expression, ...expression.getDescendantsOfKind(SyntaxKind.Identifier)].filter(Node.isIdentifier);
    return names.some(name => {
        const declaration = name.getSymbol()?.getDeclarations()[0];
        const variable = Node.isBindingElement(declaration)
            ? declaration.getFirstAncestor(Node.isVariableDeclaration)
            : declaration;
        if (!Node.isVariableDeclaration(variable)) return false;
        const initializer = variable.getInitializer();
        return initializer !== undefined && !isFunctionNode(initializer) && isOfRound(initializer, depth + 1);
    });
}
