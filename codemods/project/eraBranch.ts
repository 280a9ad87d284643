import { Node, SyntaxKind } from 'ts-morph';
import type { Block, CallExpression } from 'ts-morph';
import { LOGGER_NAME } from '../facts/effects.js';
import { about, TRANSPORT } from './mcpSessions.js';
import type { About } from './mcpSessions.js';
import { shortText } from './outsideCalls.js';
import { calleeName, chainRoot, contains, enclosingFunction, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';

/** A route of Streamable HTTP, as far as the place is concerned where the eras part. */
export interface Route {
    fn: FunctionNode;
    body: Block;
    /** What makes its server, and connects it. */
    serving: readonly Node[];
}

/** Methods that look a session up, or check one. */
const LOOKS = /^(?:isInitializeRequest|has|get|some|every|isArray|String|Boolean)$/;

/** Methods of a response, or of the context of a framework, that answer. */
const ANSWERS = /^(?:json|send|end|text|html|status|code|type|header|setHeader|write|writeHead|on|once)$/;

const READS_BODY = /^(?:json|text|arrayBuffer|formData|blob)$/;

/**
 * The statement in front of which 2026-07-28 requests leave a route: the first one that serves a 2025-era session. What
 * stands before it holds for both eras: who may call, on which path, how often. A route that looks at such things later,
 * or in a way that is not understood, is left as it is: its new clients would not be looked at.
 *
 * @returns the statement, or why there is none.
 */
export function eraBranch(route: Route): Node | string {
    return branchIn(route.body.getStatements(), route);
}

function branchIn(statements: readonly Node[], route: Route): Node | string {
    const index = statements.findIndex(one => serves(one, route) || refusesSessions(one));
    const found = statements[index];
    if (found === undefined) return 'where its route begins to serve is not known';
    const later = statements.slice(index + 1);
    const reader = statements.slice(0, index).find(one => readsBody(one));
    if (reader !== undefined) return `its route reads the body itself (${shortText(reader)})`;
    if (Node.isTryStatement(found)) return branchIn(found.getTryBlock().getStatements(), route);
    const { session, foreign } = Node.isIfStatement(found) ? about(found.getExpression()) : ANY_REQUEST;
    if (Node.isIfStatement(found) && foreign !== undefined) {
        const [then, otherwise] = [found.getThenStatement(), found.getElseStatement()];
        if (session) return checkedWithSession(foreign);
        if (otherwise !== undefined && serves(otherwise, route))
            return 'its route serves in an else branch; answer the other requests first, and return';
        if (later.some(one => serves(one, route))) return checkedLate(foreign);
        return Node.isBlock(then)
            ? branchIn(then.getStatements(), route)
            : 'its route serves in a branch without braces; give it some';
    }
    const check = [found, ...later].map(one => laterCheck(one, route)).find(one => one !== undefined);
    if (check === undefined) return found;
    // A request without a session goes past it, to the check.
    return isOnlyForSessions(found) && !contains(found, check) ? branchIn(later, route) : checkedLate(check);
}

const ANY_REQUEST: About = { session: false };

const checkedLate = (check: Node): string =>
    `its route looks at ${shortText(check)} only when it has begun to look for a session or to serve one, and 2026-07-28 requests would be served before that; move this check to the top of the route`;

const checkedWithSession = (check: Node): string =>
    `its route looks at ${shortText(check)} in one condition with the session, which 2026-07-28 requests do not have; check it in a statement of its own at the top of the route`;

/** `if (id && transports[id]) { … }`: no request without a session comes in. */
function isOnlyForSessions(node: Node): boolean {
    if (!Node.isIfStatement(node) || node.getElseStatement() !== undefined) return false;
    return conjuncts(node.getExpression()).some(
        one =>
            !Node.isPrefixUnaryExpression(one) &&
            !Node.isBinaryExpression(one) &&
            !/initialize/i.test(one.getText()) &&
            about(one).session
    );
}

function conjuncts(condition: Node): Node[] {
    const value = unwrap(condition);
    return Node.isBinaryExpression(value) && value.getOperatorToken().getKind() === SyntaxKind.AmpersandAmpersandToken
        ? [...conjuncts(value.getLeft()), ...conjuncts(value.getRight())]
        : [value];
}

/** Whether a statement makes the server or the transport, or hands a request to it. */
function serves(node: Node, { serving }: Route): boolean {
    return (
        serving.some(one => contains(node, one)) ||
        [node, ...node.getDescendants()].some(
            one =>
                (Node.isCallExpression(one) && calleeName(one) === 'handleRequest') ||
                (Node.isNewExpression(one) && TRANSPORT.test(one.getExpression().getText()))
        )
    );
}

/** `if (!sessionId) return …`: a 2026-07-28 request has none. */
function refusesSessions(node: Node): boolean {
    if (!Node.isIfStatement(node)) return false;
    const { session, foreign } = about(node.getExpression());
    return session && foreign === undefined;
}

/** A check in code that only 2025-era requests come to: a condition on which the answer depends, or a call that is given the request. */
function laterCheck(statement: Node, route: Route): Node | undefined {
    for (const node of [statement, ...statement.getDescendants()]) {
        if (enclosingFunction(node) !== route.fn) continue;
        const [condition, outcomes] = decision(node);
        if (condition !== undefined && outcomes.some(one => decides(one, route))) {
            const { foreign } = about(condition);
            if (foreign !== undefined) return foreign;
        }
        if (Node.isCallExpression(node) && isGivenRequest(node, route)) return node;
    }
    return undefined;
}

function decision(node: Node): [Node | undefined, Node[]] {
    if (Node.isIfStatement(node)) {
        const otherwise = node.getElseStatement();
        return [
            node.getExpression(),
            otherwise === undefined ? [node.getThenStatement()] : [node.getThenStatement(), otherwise]
        ];
    }
    if (Node.isConditionalExpression(node)) return [node.getCondition(), [node.getWhenTrue(), node.getWhenFalse()]];
    if (Node.isSwitchStatement(node)) return [node.getExpression(), [node.getCaseBlock()]];
    const operator = Node.isBinaryExpression(node) ? node.getOperatorToken().getText() : '';
    if (Node.isBinaryExpression(node) && (operator === '&&' || operator === '||'))
        return [node.getLeft(), [node.getRight()]];
    return [undefined, []];
}

/** Whether something ends the request, answers it, or serves it. */
function decides(node: Node, route: Route): boolean {
    if (serves(node, route)) return true;
    return [node, ...node.getDescendants()].some(
        one =>
            Node.isReturnStatement(one) ||
            Node.isThrowStatement(one) ||
            (Node.isCallExpression(one) && parametersOf(route.fn).includes(chainRoot(one.getExpression()).getText()))
    );
}

function isGivenRequest(call: CallExpression, { fn, serving }: Route): boolean {
    const name = calleeName(call) ?? '';
    if (name === 'handleRequest' || LOOKS.test(name) || serving.some(one => contains(one, call))) return false;
    const root = chainRoot(call.getExpression()).getText();
    if (LOGGER_NAME.test(root) || (ANSWERS.test(name) && parametersOf(fn).includes(root))) return false;
    return call.getArguments().some(one => tellsWhoCalls(one, fn, new Set()));
}

/** Something of the request in an expression that is neither its session nor its message: itself, a header, the address. */
function tellsWhoCalls(node: Node, fn: FunctionNode, seen: Set<Node>): boolean {
    return [node, ...node.getDescendants()].filter(Node.isIdentifier).some(name => {
        const declaration = name.getSymbol()?.getDeclarations()[0];
        if (declaration === undefined || seen.has(declaration)) return false;
        if (declaration === fn.getParameters()[0]) return about(chainAbove(name)).foreign !== undefined;
        const variable = Node.isBindingElement(declaration)
            ? declaration.getFirstAncestor(Node.isVariableDeclaration)
            : declaration;
        if (!Node.isVariableDeclaration(variable) || !contains(fn, variable)) return false;
        const made = variable.getInitializer();
        seen.add(declaration);
        return made !== undefined && about(name).foreign !== undefined && tellsWhoCalls(made, fn, seen);
    });
}

/** `req.headers.get('x')` for its `req`. */
function chainAbove(name: Node): Node {
    const parent = name.getParent();
    const continues =
        (Node.isPropertyAccessExpression(parent) ||
            Node.isElementAccessExpression(parent) ||
            Node.isCallExpression(parent) ||
            Node.isNonNullExpression(parent)) &&
        parent.getExpression() === name;
    return continues ? chainAbove(parent) : name;
}

const parametersOf = (fn: FunctionNode): string[] => fn.getParameters().map(parameter => parameter.getName());

function readsBody(statement: Node): boolean {
    return statement
        .getDescendantsOfKind(SyntaxKind.CallExpression)
        .some(call => READS_BODY.test(calleeName(call) ?? '') && call.getArguments().length === 0);
}
