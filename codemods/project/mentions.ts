import { Node, SyntaxKind } from 'ts-morph';
import type { BindingElement, SourceFile, StringLiteral } from 'ts-morph';
import { PUSH_METHODS, WIRE_METHODS } from '../facts/surface.js';
import type { SiteKind } from '../report.js';
import { isContextName, isOfSdk, isSdkDeclaration, whoseCall } from './ownership.js';
import { referencesTo, usesOf } from './references.js';
import type { FoundSite } from './sites.js';
import {
    calleeName,
    isFunctionNode,
    memberName,
    memberObject,
    objectLiteralOf,
    outermost,
    stringValue,
    unwrap
} from './syntax.js';

const SEND_REQUEST = 'sendRequest';
const NAMES = [...Object.keys(PUSH_METHODS), SEND_REQUEST];
const WIRES = Object.keys(WIRE_METHODS);

/**
 * Names of push methods and of their requests that are part of no call which `findSites` reads: a method without a type
 * taken into a variable, a request that is made here and sent elsewhere. What is done with them is not known, so that
 * each is left to a person; one that was lost would be an ask that 2026-07-28 never makes.
 */
export function findMentions(file: SourceFile, sites: readonly FoundSite[]): FoundSite[] {
    const text = file.getFullText();
    const named = NAMES.some(name => text.includes(name));
    const wired = WIRES.some(name => text.includes(name));
    if ((!named && !wired) || isClientFile(file)) return [];
    const read = new Set(sites.map(({ node }) => node));
    const found = named
        ? [
              ...file.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression).flatMap(mentionedMember),
              ...file.getDescendantsOfKind(SyntaxKind.ElementAccessExpression).flatMap(mentionedMember),
              ...file.getDescendantsOfKind(SyntaxKind.BindingElement).flatMap(takenMember),
              ...file.getDescendantsOfKind(SyntaxKind.StringLiteral).flatMap(reflectedMember)
          ]
        : [];
    // A request in the short form of today's SDK v2, `inputRequests`, is a result and not sent.
    if (!wired || text.includes('inputRequests')) return found.filter(({ node }) => !read.has(node));
    const requests = new Set(sites.flatMap(({ node }) => requestIn(node) ?? []));
    found.push(
        ...file.getDescendantsOfKind(SyntaxKind.PropertyAssignment).flatMap(property => {
            const request = property.getParent();
            if (property.getName().replace(/['"]/g, '') !== 'method' || requests.has(request)) return [];
            if (isOnlyReadForParams(request)) return [];
            return wireMention(property.getInitializer());
        }),
        ...file
            .getDescendantsOfKind(SyntaxKind.StringLiteral)
            .filter(isSent)
            .flatMap(one => wireMention(one))
    );
    return found.filter(({ node }) => !read.has(node));
}

/** `sample(request.params)`: a request that was sent once, and of which a migration reads the parameters. */
function isOnlyReadForParams(request: Node): boolean {
    const holder = outermost(request).getParent();
    const name = Node.isVariableDeclaration(holder) ? holder.getNameNode() : undefined;
    if (!Node.isIdentifier(name)) return false;
    const uses = referencesTo(name).filter(use => use !== name);
    return uses.length > 0 && uses.every(use => memberName(use.getParent() ?? use) === 'params');
}

/**
 * Whether a call that only has the name of a push method may be one all the same: nothing is known of its type, or it
 * sends a request that only servers send. A type that says something else, and a client, are proof that it is none.
 */
export function isUnproven({ node, form, kind, api, ownership }: FoundSite): boolean {
    if (ownership.kind !== 'foreign' || !Node.isCallExpression(node)) return false;
    const callee = unwrap(node.getExpression());
    if (/client(?:\?|!)?\.\w+$/i.test(api) || isOfSdk(callee) || isClientFile(node.getSourceFile())) return false;
    if (form === 'send') return true;
    if (form !== 'push') return false;
    if (kind === 'roots' && !callee.getType().isAny()) return givesRoots(callee);
    if (!callee.getType().isAny() || isGivenAnother(callee)) return false;
    const [argument] = node.getArguments();
    return kind === 'sample' ? has(argument, SAMPLING_MEMBERS) : kind === 'roots' || has(argument, ELICITATION_MEMBERS);
}

/** `createMessage` is also what chats and mailers call theirs; a sampling request has messages and a limit. */
const SAMPLING_MEMBERS: readonly string[] = ['messages', 'maxTokens'];

/** A form has a schema, and a page its address. */
const ELICITATION_MEMBERS: readonly string[] = ['requestedSchema', 'url', 'mode'];

/** Whether an argument is a request of a kind, or may be one as far as the code shows. */
function has(argument: Node | undefined, members: readonly string[]): boolean {
    const literal = objectLiteralOf(argument);
    if (!Node.isObjectLiteralExpression(literal)) return argument !== undefined;
    return literal.getProperties().some(one => !('getName' in one) || members.includes(one.getName()));
}

/**
 * Whether the receiver is a parameter without a type to which all calls give something whose method is another: in plain
 * JavaScript that is all the proof there is.
 */
function isGivenAnother(callee: Node): boolean {
    const receiver = memberObject(callee);
    const name = memberName(callee);
    const [parameter] = (receiver && unwrap(receiver).getSymbol()?.getDeclarations()) ?? [];
    if (name === undefined || !Node.isParameterDeclaration(parameter)) return false;
    const fn = parameter.getParent();
    if (!isFunctionNode(fn)) return false;
    const holder = Node.isFunctionDeclaration(fn) ? fn : fn.getParent();
    const called =
        Node.isFunctionDeclaration(holder) || Node.isVariableDeclaration(holder) ? holder.getNameNode() : undefined;
    if (!Node.isIdentifier(called)) return false;
    const index = fn.getParameters().indexOf(parameter);
    const given = usesOf(called).flatMap(use => {
        const call = use.getParent();
        return Node.isCallExpression(call) && call.getExpression() === use ? [call.getArguments()[index]] : [];
    });
    return given.length > 0 && given.every(argument => argument !== undefined && hasOwnMethod(argument, name));
}

function hasOwnMethod(argument: Node, name: string): boolean {
    const declarations = argument.getType().getProperty(name)?.getDeclarations() ?? [];
    return declarations.length > 0 && !declarations.some(isSdkDeclaration);
}

/** A method of the project's own interface whose result has `roots`. */
function givesRoots(callee: Node): boolean {
    return callee
        .getType()
        .getNonNullableType()
        .getCallSignatures()
        .some(signature => {
            const result = signature.getReturnType();
            const [awaited] = result.getTypeArguments();
            return (awaited ?? result).getProperty('roots') !== undefined;
        });
}

/** A file that is written for clients only: it answers what servers ask. */
function isClientFile(file: SourceFile): boolean {
    const imported = file.getImportDeclarations().map(one => one.getModuleSpecifierValue());
    const from = (part: RegExp): boolean => imported.some(name => part.test(name));
    return (
        from(/^@modelcontextprotocol\/(?:client|sdk\/client)\b/) &&
        !from(/^@modelcontextprotocol\/(?:server|sdk\/server)\b/)
    );
}

/** `host.elicitInput` where it is no callee and no mere test; with an unknown type, or under a computed name. */
function mentionedMember(node: Node): FoundSite[] {
    const computed = computedName(node);
    const name = memberName(node) ?? computed;
    if (name === undefined || !NAMES.includes(name)) return [];
    const object = memberObject(node);
    const parent = outermost(node).getParent();
    if (object === undefined || parent === undefined) return [];
    if (computed === undefined) {
        if (Node.isCallExpression(parent) && unwrap(parent.getExpression()) === node) return [];
        const given = Node.isPropertyAccessExpression(parent) && ['bind', 'call', 'apply'].includes(parent.getName());
        if (memberObject(parent) !== undefined && !given) return [];
        if (isWritten(node) || /client$/i.test(memberName(unwrap(object)) ?? object.getText())) return [];
        if (whoseCall(node).kind === 'project' || isOfSdk(node)) return [];
        if (name === SEND_REQUEST) return mentionedContext(node, object);
        // Servers of SDK v2 have these methods, too: what only asks for one goes on working.
        if (isTested(node) || !(node.getType().isAny() || takesItself(parent))) return [];
    }
    return [mention(node, PUSH_METHODS[name] ?? 'elicit')];
}

/** A context of SDK v2 has no `sendRequest`: a test for it would fail from now on, on both eras. */
function mentionedContext(node: Node, object: Node): FoundSite[] {
    const receiver = unwrap(object);
    const last = memberName(receiver) ?? receiver.getText();
    return isContextName(last) ? [mention(node, 'elicit')] : [];
}

const takesItself = (parent: Node): boolean => Node.isPropertyAccessExpression(parent);

/** `host[METHOD]` with a constant. */
function computedName(node: Node): string | undefined {
    if (!Node.isElementAccessExpression(node)) return undefined;
    const argument = node.getArgumentExpression();
    return Node.isIdentifier(argument) ? stringValue(argument) : undefined;
}

/** `const { elicitInput } = host` where it is not only called. */
function takenMember(element: BindingElement): FoundSite[] {
    const name = element.getPropertyNameNode()?.getText() ?? element.getName();
    const local = element.getNameNode();
    if (!Object.hasOwn(PUSH_METHODS, name) || !Node.isIdentifier(local)) return [];
    const type = local.getType();
    const own = local.getSymbol()?.getDeclarations() ?? [];
    if (!type.isAny() && !own.some(() => isOfSdk(local))) return [];
    const used = referencesTo(local).filter(use => use !== local && !isTested(use));
    const onlyCalled = used.every(use => {
        const call = outermost(use).getParent();
        return Node.isCallExpression(call) && unwrap(call.getExpression()) === use;
    });
    return onlyCalled ? [] : [mention(local, PUSH_METHODS[name] ?? 'elicit')];
}

/** `Reflect.get(server, 'elicitInput')`. */
function reflectedMember(literal: StringLiteral): FoundSite[] {
    const name = literal.getLiteralValue();
    const call = literal.getParent();
    if (!Object.hasOwn(PUSH_METHODS, name) || !Node.isCallExpression(call)) return [];
    return call.getExpression().getText() === 'Reflect.get' ? [mention(literal, PUSH_METHODS[name] ?? 'elicit')] : [];
}

/** The object literal that a send call is given. */
function requestIn(node: Node): Node | undefined {
    return Node.isCallExpression(node) ? objectLiteralOf(node.getArguments()[0]) : undefined;
}

function wireMention(value: Node | undefined): FoundSite[] {
    const method = stringValue(value);
    const kind = method !== undefined && Object.hasOwn(WIRE_METHODS, method) ? WIRE_METHODS[method] : undefined;
    return value === undefined || kind === undefined ? [] : [mention(value, kind)];
}

/** `rpc.call('elicitation/create', params)`. */
function isSent(literal: StringLiteral): boolean {
    const call = literal.getParent();
    if (!Node.isCallExpression(call) || call.getArguments()[0] !== literal) return false;
    const name = calleeName(call) ?? '';
    return /request|send|call|ask|invoke|elicit|rpc|dispatch/i.test(name) && !/handler|is|can|has|supports/i.test(name);
}

const mention = (node: Node, kind: SiteKind): FoundSite => ({
    node,
    kind,
    form: 'mention',
    api: node.getText().replace(/\s*\n\s*/g, ''),
    ownership: { kind: 'name' }
});

/** The left side of an assignment, or `delete`. */
function isWritten(node: Node): boolean {
    const parent = node.getParent();
    const assigned =
        Node.isBinaryExpression(parent) && parent.getLeft() === node && parent.getOperatorToken().getText() === '=';
    return assigned || Node.isDeleteExpression(parent);
}

/** Whether a value is only asked for: in a condition, behind `!`, in front of `&&`, with `typeof`, compared. */
export function isTested(node: Node): boolean {
    let child = outermost(node);
    for (let parent = child.getParent(); parent !== undefined; parent = child.getParent()) {
        if (Node.isTypeOfExpression(parent) || Node.isTypeQuery(parent)) return true;
        if (Node.isPrefixUnaryExpression(parent)) return true;
        if (Node.isIfStatement(parent) || Node.isWhileStatement(parent)) return parent.getExpression() === child;
        if (Node.isConditionalExpression(parent) && parent.getCondition() === child) return true;
        if (Node.isBinaryExpression(parent)) {
            const operator = parent.getOperatorToken().getText();
            if (/^[!=]==?$/.test(operator)) return true;
            if (operator === '&&' && parent.getLeft() === child) return true;
            if (!['&&', '||', '??'].includes(operator)) return false;
        } else if (!Node.isConditionalExpression(parent)) return false;
        child = outermost(parent);
    }
    return false;
}
