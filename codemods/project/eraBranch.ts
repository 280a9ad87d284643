import { Node, SyntaxKind } from 'ts-morph';
import type { Block, CallExpression } from 'ts-morph';
import { LOGGER_NAME } from '../facts/effects.js';
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

/** Classes whose construction belongs to the 2025-era way of serving. */
const TRANSPORT = /^(?:Node|WebStandard)?StreamableHTTPServerTransport$/;

/** What only requests of a 2025-era session have, by the names that such code gives it. */
const OF_SESSIONS = /session|transport|initiali[sz]e/i;

/** Calls that look at such a thing and at nothing else. */
const LOOKS = /^(?:isInitializeRequest|isInitialize|has|get|some|every|isArray|String|Boolean)$/;

/** Says nothing of who may call. */
const NEUTRAL =
    /^(?:undefined|null|true|false|[\d.]+|(['"]).*\1|(?:\w+\.)*(?:method|body|headersSent|writableEnded|destroyed|closed))$/;

const READS_BODY = /^(?:json|text|arrayBuffer|formData|blob)$/;

/**
 * The statement in front of which 2026-07-28 requests leave a route: the first one that serves a 2025-era session. What
 * stands before it holds for both eras: who may call, on which path, how often. A route that looks at such things later,
 * or in a way that is not understood, is left as it is: its new clients would not be looked at.
 *
 * @returns the statement, or why there is none.
 */
export function eraBranch(route: Route): Node | string {
    return branchIn(route.body, route);
}

function branchIn(block: Block, route: Route): Node | string {
    const statements = block.getStatements();
    const index = statements.findIndex(one => serves(one, route) || refusesSessions(one));
    const found = statements[index];
    if (found === undefined) return 'where its route begins to serve is not known';
    const reader = statements.slice(0, index).find(one => readsBody(one));
    if (reader !== undefined) return `its route reads the body itself (${shortText(reader)})`;
    if (Node.isTryStatement(found)) return branchIn(found.getTryBlock(), route);
    const foreign = Node.isIfStatement(found) ? foreignPart(found.getExpression()) : undefined;
    if (Node.isIfStatement(found) && foreign !== undefined) {
        const [then, otherwise] = [found.getThenStatement(), found.getElseStatement()];
        if (OF_SESSIONS.test(found.getExpression().getText())) return lookedAtLate(foreign);
        if (otherwise !== undefined && serves(otherwise, route)) return 'its route serves in an else branch';
        return Node.isBlock(then) ? branchIn(then, route) : 'its route serves in a branch that is no block';
    }
    for (const statement of statements.slice(index)) {
        const check = laterCheck(statement, route);
        if (check !== undefined) return lookedAtLate(check);
    }
    return found;
}

const lookedAtLate = (check: Node): string =>
    `its route looks at ${shortText(check)} when it has begun to serve; look at it first`;

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
const refusesSessions = (node: Node): boolean =>
    Node.isIfStatement(node) &&
    OF_SESSIONS.test(node.getExpression().getText()) &&
    foreignPart(node.getExpression()) === undefined;

/** The part of a condition that is about anything but the session. */
function foreignPart(condition: Node): Node | undefined {
    const value = unwrap(condition);
    if (Node.isPrefixUnaryExpression(value) && value.getOperatorToken() === SyntaxKind.ExclamationToken) {
        return foreignPart(value.getOperand());
    }
    if (Node.isBinaryExpression(value)) return foreignPart(value.getLeft()) ?? foreignPart(value.getRight());
    if (Node.isTypeOfExpression(value)) return foreignPart(value.getExpression());
    const calls = [value, ...value.getDescendants()].filter(Node.isCallExpression);
    if (calls.some(call => !LOOKS.test(calleeName(call) ?? ''))) return value;
    const text = value.getText();
    return OF_SESSIONS.test(text) || NEUTRAL.test(text.replace(/\?\./g, '.')) ? undefined : value;
}

/** A check in code that only 2025-era requests come to: a condition on which the answer depends, or a call that is given the request. */
function laterCheck(statement: Node, route: Route): Node | undefined {
    for (const node of [statement, ...statement.getDescendants()]) {
        if (enclosingFunction(node) !== route.fn) continue;
        const [condition, outcomes] = decision(node);
        if (condition !== undefined && outcomes.some(one => decides(one, route))) {
            const foreign = foreignPart(condition);
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
    return !LOGGER_NAME.test(chainRoot(call.getExpression()).getText()) && givesWhole(call, fn);
}

/** An argument is the request itself, or its headers. */
function givesWhole(call: CallExpression, fn: FunctionNode): boolean {
    const [request] = parametersOf(fn);
    return call
        .getArguments()
        .some(
            one =>
                request !== undefined &&
                new RegExp(`^${request}(?:\\.(?:raw|req|headers|req\\.raw))*$`).test(one.getText())
        );
}

const parametersOf = (fn: FunctionNode): string[] => fn.getParameters().map(parameter => parameter.getName());

function readsBody(statement: Node): boolean {
    return statement
        .getDescendantsOfKind(SyntaxKind.CallExpression)
        .some(call => READS_BODY.test(calleeName(call) ?? '') && call.getArguments().length === 0);
}
