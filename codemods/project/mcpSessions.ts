import { Node, SyntaxKind } from 'ts-morph';
import type { BindingElement, CallExpression, Type, VariableDeclaration } from 'ts-morph';
import { usesOf } from './references.js';
import {
    calleeName,
    chainRoot,
    contains,
    isFunctionNode,
    memberName,
    memberObject,
    stringValue,
    unwrap
} from './syntax.js';
import type { FunctionNode } from './syntax.js';

/** What a condition of a route asks. */
export interface About {
    /** It asks for the MCP session of a request, which no request of 2026-07-28 has. */
    session: boolean;
    /** The part that asks for anything else: who calls, from where, how often. */
    foreign?: Node;
}

/** Classes whose construction belongs to the 2025-era way of serving. */
export const TRANSPORT = /^(?:Node|WebStandard)?StreamableHTTPServerTransport$/;

/** What is kept for a session. */
const KEPT = /^(?:(?:(?:Node|WebStandard)?StreamableHTTP|SSE)ServerTransport|Transport|McpServer|Server)$/;

const SESSION_HEADER = /^mcp-session-id$/i;

/** Members of what is kept for a session that are the session again. */
const PART_OF_SESSION = /transport$|server$|^sessionId$/i;

/** Members of a request and a response that say nothing of who calls. */
const NEUTRAL = /^(?:method|body|headersSent|writableEnded|destroyed|closed)$/;

/** Methods that say nothing but what they are called on says, with what they are given. */
const PLAIN_METHOD = /^(?:some|every|find|toString|trim|at)$/;
const PLAIN_FUNCTION = /^(?:Array\.isArray|String|Boolean)$/;

const NOTHING: About = { session: false };
const SESSION: About = { session: true };
const other = (foreign: Node): About => ({ session: false, foreign });

function join(parts: readonly About[]): About {
    const foreign = parts.find(part => part.foreign !== undefined)?.foreign;
    return { session: parts.some(part => part.session), ...(foreign === undefined ? {} : { foreign }) };
}

/**
 * What a condition is about. The session of a request is what comes of its `mcp-session-id` header, of a map of transports
 * or servers that is looked up by it, and of `isInitializeRequest`. Names prove nothing: `req.session` is a cookie's, and a
 * map called `sessions` may hold logins. What is not understood is about something else.
 *
 * @param within declarations and functions that are being looked through.
 */
export function about(node: Node, within: ReadonlySet<Node> = new Set()): About {
    const value = unwrap(node);
    const all = (...parts: Node[]): About => join(parts.map(part => about(part, within)));
    if (Node.isPrefixUnaryExpression(value)) return all(value.getOperand());
    if (Node.isTypeOfExpression(value) || Node.isAwaitExpression(value)) return all(value.getExpression());
    if (Node.isBinaryExpression(value)) {
        const [left, right] = [value.getLeft(), value.getRight()];
        const operator = value.getOperatorToken().getKind();
        if (operator === SyntaxKind.InKeyword) return isSessionMap(right) ? keyed(left, value, within) : other(value);
        return operator === SyntaxKind.EqualsToken ? all(right) : all(left, right);
    }
    if (Node.isConditionalExpression(value)) {
        return all(value.getCondition(), value.getWhenTrue(), value.getWhenFalse());
    }
    if (Node.isArrowFunction(value)) {
        const body = value.getBody();
        return Node.isBlock(body) ? other(value) : about(body, new Set([...within, value]));
    }
    if (Node.isNewExpression(value)) return KEPT.test(value.getExpression().getText()) ? SESSION : other(value);
    if (Node.isCallExpression(value)) return called(value, within);
    if (Node.isPropertyAccessExpression(value) || Node.isElementAccessExpression(value)) return member(value, within);
    if (Node.isIdentifier(value)) return named(value, within);
    return isConstant(value) ? constant(stringValue(value)) : other(value);
}

const isConstant = (node: Node): boolean =>
    Node.isStringLiteral(node) ||
    Node.isNoSubstitutionTemplateLiteral(node) ||
    Node.isNumericLiteral(node) ||
    Node.isNullLiteral(node) ||
    Node.isTrueLiteral(node) ||
    Node.isFalseLiteral(node);

const constant = (text: string | undefined): About => (text === 'initialize' ? SESSION : NOTHING);

/** A lookup in a map of sessions: by the id of the session, or by something that says who calls. */
function keyed(key: Node | undefined, lookup: Node, within: ReadonlySet<Node>): About {
    const found = key === undefined ? NOTHING : about(key, within);
    return found.session || found.foreign !== undefined ? found : other(lookup);
}

function called(call: CallExpression, within: ReadonlySet<Node>): About {
    const callee = unwrap(call.getExpression());
    const name = calleeName(call) ?? '';
    const receiver = memberObject(callee);
    const args = call.getArguments();
    const all = (parts: readonly Node[]): About => join(parts.map(part => about(part, within)));
    if (name === 'isInitializeRequest') return join([SESSION, all(args)]);
    if (args.length === 1 && SESSION_HEADER.test(stringValue(args[0]) ?? '')) return SESSION;
    if (receiver !== undefined && (name === 'get' || name === 'has') && isSessionMap(receiver)) {
        return keyed(args[0], call, within);
    }
    if (PLAIN_FUNCTION.test(callee.getText())) return all(args);
    if (receiver !== undefined && PLAIN_METHOD.test(name)) return all([receiver, ...args]);
    const fn = ownFunction(callee);
    const result = fn === undefined ? undefined : onlyResult(fn);
    if (fn === undefined || result === undefined || within.has(fn)) return other(call);
    return join([all(args.filter(one => !isParameter(one))), about(result, new Set([...within, fn]))]);
}

function ownFunction(callee: Node): FunctionNode | undefined {
    const symbol = callee.getSymbol();
    const declaration = (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations()[0];
    if (isFunctionNode(declaration)) return declaration;
    const value = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
    return isFunctionNode(value) ? value : undefined;
}

/** The result of a function that does nothing but to return it. */
function onlyResult(fn: FunctionNode): Node | undefined {
    const body = fn.getBody();
    if (!Node.isBlock(body)) return body;
    const statements = body.getStatements();
    const last = statements.at(-1);
    const plain = statements.slice(0, -1).every(one => Node.isVariableStatement(one));
    return plain && Node.isReturnStatement(last) ? last.getExpression() : undefined;
}

const isParameter = (node: Node): boolean =>
    Node.isIdentifier(node) &&
    node
        .getSymbol()
        ?.getDeclarations()
        .some(one => Node.isParameterDeclaration(one)) === true;

function member(value: Node, within: ReadonlySet<Node>): About {
    const object = memberObject(value);
    if (object === undefined) return other(value);
    const key = Node.isElementAccessExpression(value) ? value.getArgumentExpression() : undefined;
    const name = memberName(value) ?? stringValue(key);
    if (name === undefined) {
        if (key !== undefined && Node.isNumericLiteral(key)) return about(object, within);
        return isSessionMap(object) ? keyed(key, value, within) : other(value);
    }
    if (SESSION_HEADER.test(name)) return SESSION;
    if (NEUTRAL.test(name) && isOfRequest(value)) return NOTHING;
    if (!PART_OF_SESSION.test(name) && name !== 'length') return other(value);
    const whole = about(object, within);
    return whole.session && whole.foreign === undefined ? SESSION : other(value);
}

/** Whether a chain of members begins at a parameter, or at a variable that holds a part of one. */
function isOfRequest(node: Node): boolean {
    const root = chainRoot(node);
    const declaration = root.getSymbol()?.getDeclarations()[0];
    if (Node.isParameterDeclaration(declaration)) return true;
    const variable = Node.isBindingElement(declaration)
        ? declaration.getFirstAncestor(one => Node.isVariableDeclaration(one) || Node.isParameterDeclaration(one))
        : declaration;
    if (Node.isParameterDeclaration(variable)) return true;
    const made = Node.isVariableDeclaration(variable) ? variable.getInitializer() : undefined;
    return made !== undefined && !contains(made, root) && isOfRequest(made);
}

function named(name: Node, within: ReadonlySet<Node>): About {
    const text = name.getText();
    if (text === 'undefined') return NOTHING;
    if (text === 'isInitializeRequest') return SESSION;
    const symbol = name.getSymbol();
    const declaration = (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations()[0];
    if (declaration === undefined || within.has(declaration)) return declaration === undefined ? other(name) : NOTHING;
    if (Node.isParameterDeclaration(declaration)) {
        return [...within].some(fn => declaration.getParent() === fn) ? NOTHING : other(name);
    }
    const inner = new Set([...within, declaration]);
    const found = Node.isBindingElement(declaration)
        ? bound(declaration, inner)
        : Node.isVariableDeclaration(declaration)
          ? held(declaration, inner)
          : undefined;
    return found === undefined || found.foreign !== undefined ? join([found ?? NOTHING, other(name)]) : found;
}

/** `const { 'mcp-session-id': id } = req.headers`, `const { transport } = sessions.get(id)`, `const { method } = req.body`. */
function bound(element: BindingElement, within: ReadonlySet<Node>): About | undefined {
    const property = element.getPropertyNameNode();
    const name = property === undefined ? element.getName() : property.getText().replace(/^['"]|['"]$/g, '');
    if (SESSION_HEADER.test(name)) return SESSION;
    const from = element.getFirstAncestor(Node.isVariableDeclaration)?.getInitializer();
    if (from === undefined) return undefined;
    if (NEUTRAL.test(name) && isOfRequest(from)) return NOTHING;
    const whole = about(from, within);
    return PART_OF_SESSION.test(name) && whole.session ? whole : undefined;
}

/**
 * What a variable is given, everywhere, and the conditions on which it is given that. One that is given different
 * constants says what somebody found out before.
 */
function held(variable: VariableDeclaration, within: ReadonlySet<Node>): About | undefined {
    const name = variable.getNameNode();
    const initializer = variable.getInitializer();
    const assignments = Node.isIdentifier(name) ? usesOf(name).flatMap(use => assignmentTo(use) ?? []) : [];
    const values = [...(initializer === undefined ? [] : [initializer]), ...assignments.map(one => one.getRight())];
    const given = values.filter(one => !/^(?:undefined|null)$/.test(one.getText()));
    if (given.length === 0) return undefined;
    const found = given.map(one => about(one, within));
    if (assignments.length > 0 && found.some(one => !one.session)) return undefined;
    const conditions = assignments.flatMap(one => conditionsOf(one, variable));
    return conditions.includes(undefined)
        ? undefined
        : join([...found, ...conditions.flatMap(one => (one === undefined ? [] : [about(one, within)]))]);
}

function assignmentTo(use: Node) {
    const parent = use.getParent();
    return Node.isBinaryExpression(parent) &&
        parent.getLeft() === use &&
        /^(?:\?\?|\|\|)?=$/.test(parent.getOperatorToken().getText())
        ? parent
        : undefined;
}

/** The conditions between an assignment and the block of its variable; undefined for what is not understood. */
function conditionsOf(assignment: Node, variable: VariableDeclaration): (Node | undefined)[] {
    const found: (Node | undefined)[] = [];
    let child = assignment;
    for (const ancestor of assignment.getAncestors()) {
        if (contains(ancestor, variable)) break;
        if (Node.isIfStatement(ancestor) && ancestor.getExpression() !== child) found.push(ancestor.getExpression());
        else if (Node.isConditionalExpression(ancestor)) found.push(ancestor.getCondition());
        else if (Node.isBinaryExpression(ancestor) && ancestor.getRight() === child) found.push(ancestor.getLeft());
        else if (Node.isTryStatement(ancestor) || Node.isSwitchStatement(ancestor)) found.push(undefined);
        child = ancestor;
    }
    return found;
}

/** A Map or an object whose values are transports or servers, or objects that hold one. */
function isSessionMap(node: Node): boolean {
    const map = unwrap(node);
    const type = map.getType();
    const isMap = ['Map', 'ReadonlyMap', 'WeakMap'].includes(type.getSymbol()?.getName() ?? '');
    const values = isMap ? type.getTypeArguments()[1] : type.getStringIndexType();
    if (values !== undefined && !values.isAny() && !values.isUnknown()) return isKept(values, map, 1);
    const written = map
        .getSourceFile()
        .getDescendantsOfKind(isMap ? SyntaxKind.CallExpression : SyntaxKind.BinaryExpression)
        .flatMap(one => writtenInto(one, map) ?? []);
    return written.length > 0 && written.every(one => isKeptValue(one));
}

/** `value` of `map[key] = value` and `map.set(key, value)`. */
function writtenInto(node: Node, map: Node): Node | undefined {
    if (Node.isBinaryExpression(node)) {
        const left = unwrap(node.getLeft());
        return Node.isElementAccessExpression(left) &&
            isSameThing(left.getExpression(), map) &&
            node.getOperatorToken().getText() === '='
            ? node.getRight()
            : undefined;
    }
    if (!Node.isCallExpression(node)) return undefined;
    const callee = unwrap(node.getExpression());
    const receiver = memberObject(callee);
    return memberName(callee) === 'set' && receiver !== undefined && isSameThing(receiver, map)
        ? node.getArguments()[1]
        : undefined;
}

const isSameThing = (one: Node, map: Node): boolean =>
    unwrap(one).getText() === map.getText() && unwrap(one).getSymbol() === map.getSymbol();

function isKeptValue(node: Node): boolean {
    const value = unwrap(node);
    if (isKept(value.getType(), value, 1)) return true;
    if (Node.isObjectLiteralExpression(value)) {
        return value
            .getProperties()
            .some(one =>
                Node.isPropertyAssignment(one)
                    ? isKeptValue(one.getInitializerOrThrow())
                    : Node.isShorthandPropertyAssignment(one) && isKeptValue(one.getNameNode())
            );
    }
    if (!Node.isIdentifier(value)) return false;
    const parent = value.getParent();
    const symbol = Node.isShorthandPropertyAssignment(parent) ? parent.getValueSymbol() : value.getSymbol();
    const declaration = symbol?.getDeclarations()[0];
    const name = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
    if (!Node.isVariableDeclaration(declaration) || !Node.isIdentifier(name)) return false;
    const made = [declaration.getInitializer(), ...usesOf(name).map(use => assignmentTo(use)?.getRight())];
    return made.some(one => Node.isNewExpression(one) && KEPT.test(one.getExpression().getText()));
}

/** @param depth how many levels of properties are looked into. */
function isKept(type: Type, at: Node, depth: number): boolean {
    const bare = type.getNonNullableType();
    if (bare.isUnion()) return bare.getUnionTypes().every(one => isKept(one, at, depth));
    if (KEPT.test(bare.getSymbol()?.getName() ?? '')) return true;
    if (depth === 0 || !bare.isObject() || bare.isArray()) return false;
    return bare.getProperties().some(property => isKept(property.getTypeAtLocation(at), at, depth - 1));
}
