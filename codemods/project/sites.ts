import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression, NewExpression, SourceFile } from 'ts-morph';
import { COMPLETION_NOTIFIER, PUSH_METHODS, SEND_METHODS, URL_REQUIRED_ERROR, WIRE_METHODS } from '../facts/surface.js';
import type { Framework } from '../facts/frameworks.js';
import type { SiteKind } from '../report.js';
import { aliasedMethod, isAdapterBody } from './aliases.js';
import { frameworkAsk, frameworkOf } from './frameworkSites.js';
import { whoseCall } from './ownership.js';
import type { Ownership } from './ownership.js';
import { usesOf } from './references.js';
import { memberName, memberObject, objectLiteralOf, propertyValue, stringValue, unwrap } from './syntax.js';

/**
 * How the request is made: by a method of its own, by a method that takes the request, by a signal, or not called;
 * `mention` where more than the name is not known.
 */
export type SiteForm = 'push' | 'send' | 'signal' | 'reference' | 'mention';

/** The rule that is responsible for a site. */
export function ruleFor(kind: SiteKind, form: SiteForm): string {
    if (kind === 'complete') return 'completion-notifier';
    if (kind === 'urlRequired') return 'url-elicitation-required';
    if (form === 'reference' || form === 'mention') return 'passed-method';
    if (form === 'send') return 'send-request';
    return kind === 'sample' ? 'create-message' : kind === 'roots' ? 'list-roots' : 'elicit-input';
}

/** A push call in a source file. */
export interface FoundSite {
    node: CallExpression | NewExpression | Node;
    kind: SiteKind;
    form: SiteForm;
    /** The callee as written. */
    api: string;
    ownership: Ownership;
}

/**
 * Every place of a file that sends a request to the client (or signals one), by name and by wire method; what it
 * belongs to is said in `ownership`. Look-alikes are returned too, so that a report can name them.
 */
export function findSites(file: SourceFile, framework = frameworkOf(file)): FoundSite[] {
    const found: FoundSite[] = [];
    for (const call of file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
        const site = callSite(call) ?? (framework === undefined ? undefined : frameworkSite(call, framework));
        if (site !== undefined) found.push(site);
    }
    const text = file.getFullText();
    for (const node of text.includes(URL_REQUIRED_ERROR) ? file.getDescendantsOfKind(SyntaxKind.NewExpression) : []) {
        const site = thrownSite(node);
        if (site !== undefined) found.push(site);
    }
    for (const node of Object.keys(PUSH_METHODS).some(name => text.includes(name)) ? membersOf(file) : []) {
        const site = referenceSite(node);
        if (site !== undefined) found.push(site);
    }
    found.sort((a, b) => a.node.getStart() - b.node.getStart() || b.node.getEnd() - a.node.getEnd());
    return found;
}

/** Only nodes of the kinds that are looked at are made: most of a file is of no concern. */
const membersOf = (file: SourceFile): Node[] => [
    ...file.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression),
    ...file.getDescendantsOfKind(SyntaxKind.ElementAccessExpression)
];

function frameworkSite(call: CallExpression, framework: Framework): FoundSite | undefined {
    const kind = frameworkAsk(call, framework);
    if (kind === undefined) return undefined;
    return { node: call, kind, form: 'push', api: oneLine(call.getExpression()), ownership: { kind: 'foreign' } };
}

/** `elicitMethod.call(server, params)`, where what is called is kept in a variable of whatever type. */
function reflectiveSite(call: CallExpression, callee: Node): FoundSite | undefined {
    const object = memberObject(callee);
    const held = object === undefined ? undefined : unwrap(object);
    if (!Node.isIdentifier(held) || !['call', 'apply'].includes(memberName(callee) ?? '')) return undefined;
    const declaration = held.getSymbol()?.getDeclarations()[0];
    const values = Node.isVariableDeclaration(declaration)
        ? usesOf(held).flatMap(use => {
              const parent = use.getParent();
              if (parent === declaration) return declaration.getInitializer() ?? [];
              return Node.isBinaryExpression(parent) && parent.getLeft() === use ? parent.getRight() : [];
          })
        : [];
    const name = Object.keys(PUSH_METHODS).find(method =>
        values.some(value => new RegExp(`\\b${method}\\b`).test(value.getText()))
    );
    if (name === undefined) return undefined;
    const kind = PUSH_METHODS[name] ?? 'elicit';
    return { node: call, kind, form: 'reference', api: oneLine(callee), ownership: { kind: 'name' } };
}

function callSite(call: CallExpression): FoundSite | undefined {
    const callee = unwrap(call.getExpression());
    const reflective = reflectiveSite(call, callee);
    if (reflective !== undefined) return reflective;
    const name = methodBehind(callee);
    if (name === undefined || isResultBuilder(callee)) return undefined;
    const base = { node: call, api: oneLine(callee) };
    // What is called through an adapter is asked where the adapter is called.
    if (isAdapterBody(call)) {
        return { ...base, kind: PUSH_METHODS[name] ?? 'elicit', form: 'reference', ownership: whoseCall(callee) };
    }
    if (name === COMPLETION_NOTIFIER) {
        // Nothing else has this name: an interface of the project's own is one over the SDK.
        const own = whoseCall(callee);
        return {
            ...base,
            kind: 'complete',
            form: 'signal',
            ownership: own.kind === 'foreign' ? { kind: 'typed' } : own
        };
    }
    const pushed = Object.hasOwn(PUSH_METHODS, name) ? PUSH_METHODS[name] : undefined;
    if (pushed !== undefined) {
        const ownership = whoseCall(callee);
        if (ownership.kind === 'project') return undefined;
        return {
            ...base,
            kind: pushed === 'elicit' ? elicitKind(call.getArguments()[0]) : pushed,
            form: 'push',
            ownership
        };
    }
    if (!SEND_METHODS.has(name)) return undefined;
    const request = objectLiteralOf(call.getArguments()[0]);
    const method = stringValue(propertyValue(request, 'method'));
    const kind = method !== undefined && Object.hasOwn(WIRE_METHODS, method) ? WIRE_METHODS[method] : undefined;
    if (kind === undefined) return undefined;
    const ownership = whoseCall(callee);
    if (ownership.kind === 'project') return undefined;
    const params = propertyValue(request, 'params');
    return { ...base, kind: kind === 'elicit' ? elicitKind(params) : kind, form: 'send', ownership };
}

/** `inputRequired.createMessage(…)` of SDK v2 makes a part of a result, and sends nothing. */
function isResultBuilder(callee: Node): boolean {
    const object = memberObject(callee);
    const builder = object === undefined ? undefined : unwrap(object);
    if (!Node.isIdentifier(builder)) return false;
    const declaration = builder.getSymbol()?.getDeclarations()[0];
    const name = Node.isImportSpecifier(declaration) ? declaration.getName() : builder.getText();
    return name === 'inputRequired';
}

/** The method that a callee names: a member, or a local name that stands for one. */
function methodBehind(callee: Node): string | undefined {
    const member = memberName(callee);
    if (member !== undefined) return member;
    if (!Node.isIdentifier(callee)) return undefined;
    const declaration = callee.getSymbol()?.getDeclarations()[0];
    const aliased = aliasedMethod(declaration);
    if (aliased !== undefined) return memberName(aliased);
    if (Node.isParameterDeclaration(declaration)) {
        return Object.hasOwn(PUSH_METHODS, callee.getText()) || callee.getText() === 'sendRequest'
            ? callee.getText()
            : undefined;
    }
    if (!Node.isBindingElement(declaration)) return undefined;
    const name = declaration.getPropertyNameNode()?.getText() ?? declaration.getName();
    return Object.hasOwn(PUSH_METHODS, name) || name === 'sendRequest' ? name : undefined;
}

function thrownSite(node: NewExpression): FoundSite | undefined {
    if (calleeText(node) !== URL_REQUIRED_ERROR) return undefined;
    return {
        node,
        kind: 'urlRequired',
        form: 'signal',
        api: URL_REQUIRED_ERROR,
        ownership: whoseCall(node.getExpression())
    };
}

/** The imported name behind a class, so that `import { UrlElicitationRequiredError as Needed }` is found. */
function calleeText(node: NewExpression): string {
    const expression = unwrap(node.getExpression());
    if (!Node.isIdentifier(expression)) return memberName(expression) ?? expression.getText();
    const declaration = expression.getSymbol()?.getDeclarations()[0];
    if (Node.isImportSpecifier(declaration)) return declaration.getName();
    if (Node.isBindingElement(declaration))
        return declaration.getPropertyNameNode()?.getText() ?? declaration.getName();
    return expression.getText();
}

/** A push method that is not called but handed on: `server.elicitInput.bind(server)`, `ask(server.elicitInput)`. */
function referenceSite(node: Node): FoundSite | undefined {
    const name = memberName(node);
    if (name === undefined || !Object.hasOwn(PUSH_METHODS, name)) return undefined;
    const parent = node.getParent();
    if (Node.isCallExpression(parent) && parent.getExpression() === node) return undefined;
    if (Node.isPropertyAccessExpression(parent) && !['bind', 'call', 'apply'].includes(parent.getName()))
        return undefined;
    if (Node.isBinaryExpression(parent) && parent.getLeft() === node) return undefined;
    if (Node.isTypeOfExpression(parent) || node.getFirstAncestorByKind(SyntaxKind.TypeQuery) !== undefined)
        return undefined;
    if (Node.isParenthesizedExpression(parent) || Node.isNonNullExpression(parent)) {
        const call = parent.getParent();
        if (Node.isCallExpression(call) && call.getExpression() === parent) return undefined;
    }
    const ownership = whoseCall(node);
    if (ownership.kind !== 'sdk') return undefined;
    return { node, kind: PUSH_METHODS[name] ?? 'elicit', form: 'reference', api: oneLine(node), ownership };
}

function elicitKind(params: Node | undefined): SiteKind {
    const mode = stringValue(propertyValue(objectLiteralOf(params), 'mode'));
    return mode === 'url' ? 'elicitUrl' : 'elicit';
}

const oneLine = (node: Node): string => node.getText().replace(/\s*\n\s*/g, '');
