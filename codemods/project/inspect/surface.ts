import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression, SourceFile } from 'ts-morph';
import { WIRE_METHODS } from '../../facts/surface.js';
import type { SiteKind } from '../../report.js';
import { frameworkOf } from '../frameworkSites.js';
import { capabilityReads } from '../guards.js';
import { isTested } from '../mentions.js';
import { isSdkDeclaration } from '../ownership.js';
import type { Reach } from '../reach.js';
import { ruleFor } from '../sites.js';
import { calleeName, memberObject, objectLiteralOf, outermost, propertyValue, stringValue, unwrap } from '../syntax.js';
import type { Ask } from './asks.js';
import { observe } from './observation.js';
import type { Observation } from './observation.js';

/** A push call of the project, as the rule of its kind reports it. */
export function pushCall({ node, kind, api, site }: Ask, reach: Reach): Observation[] {
    if (site === undefined) return [];
    const framework = site.ownership.kind === 'sdk' ? undefined : frameworkOf(node.getSourceFile());
    if (framework !== undefined) {
        return [
            observe('framework-ask', 'framework', node, { api, framework: framework.name, offers: framework.offers })
        ];
    }
    if (site.form === 'mention') {
        return isTested(node)
            ? [observe('passed-method', 'tested', node, { api }, { level: 'note' })]
            : [observe('passed-method', 'mention', node, { api }, { level: 'warning' })];
    }
    if (site.ownership.kind === 'foreign') return [];
    const rule = ruleFor(kind, site.form);
    if (rule === 'url-elicitation-required' && isRoundOfPages(node, reach)) return [];
    const byName = site.ownership.kind === 'name';
    return [
        observe(
            rule,
            byName ? 'byName' : 'call',
            node,
            { api, method: wireMethod(kind) },
            { related: waysTo(node, reach) }
        ),
        ...elicitationIds(node)
    ];
}

/** What a push call of a kind sends. */
const wireMethod = (kind: SiteKind): string =>
    Object.entries(WIRE_METHODS).find(([, sent]) => sent === (kind === 'elicitUrl' ? 'elicit' : kind))?.[0] ?? '';

/** In a resumable handler the thrown error is a round of pages already. */
function isRoundOfPages(node: Node, reach: Reach): boolean {
    const provider = reach.provider(node);
    if (typeof provider === 'string') return false;
    const registrations = reach.handlersOf(provider).flatMap(handler => handler.registrations);
    return registrations.length > 0 && registrations.every(({ wrapped }) => wrapped);
}

/** The handlers that lead to a place, and the calls in between, from the outside in. At most eight. */
export function waysTo(node: Node, reach: Reach): Observation['related'] {
    const provider = reach.provider(node);
    if (typeof provider === 'string') return [];
    const handlers = reach
        .handlersOf(provider)
        .flatMap(({ registrations }) =>
            registrations.map(({ call, label }) => ({ node: call, text: `${label} leads to it` }))
        );
    const calls = provider.calls.map(({ call }) => ({ node: call, text: `${provider.name} is called` }));
    return [...handlers, ...calls].slice(0, 8);
}

/** `elicitationId` of a page; the shape of 2026-07-28 does not have it. */
function elicitationIds(node: Node): Observation[] {
    const args = Node.isCallExpression(node) || Node.isNewExpression(node) ? node.getArguments() : [];
    const objects = args.flatMap(argument => {
        const value = unwrap(argument);
        if (Node.isArrayLiteralExpression(value)) return value.getElements().map(objectLiteralOf);
        const object = objectLiteralOf(value);
        return [object, objectLiteralOf(propertyValue(object, 'params'))];
    });
    return objects.flatMap(object => {
        if (!Node.isObjectLiteralExpression(object)) return [];
        const property = object.getProperty('elicitationId');
        return property === undefined ? [] : [observe('elicitation-id', 'id', property)];
    });
}

/** `setNotificationHandler(RootsListChangedNotificationSchema, …)` on a server. */
export function rootsListeners(file: SourceFile): Observation[] {
    if (!/RootsListChanged|roots\/list_changed/.test(file.getFullText())) return [];
    return file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap(node => {
        if (calleeName(node) !== 'setNotificationHandler') return [];
        const [method] = node.getArguments();
        const named =
            stringValue(method) === 'notifications/roots/list_changed' ||
            method?.getText().endsWith('RootsListChangedNotificationSchema');
        return named && !isOnClient(node) ? [observe('roots-list-changed', 'handler', node)] : [];
    });
}

function isOnClient(call: CallExpression): boolean {
    const receiver = memberObject(unwrap(call.getExpression()));
    return receiver?.getType().getSymbol()?.getName() === 'Client' || /client$/i.test(receiver?.getText() ?? '');
}

/** `getClientCapabilities()`: what the handshake said, and nothing on a revision without one. */
export function capabilities(file: SourceFile, reach: Reach): Observation[] {
    return capabilityReads(file).map(node => {
        return observe('client-capabilities', reach.isDetached(node) ? 'outside' : 'inHandler', node);
    });
}

const KEYED: ReadonlySet<string> = new Set(['get', 'set', 'has', 'delete', 'add']);

/** The `sessionId` of a request's context as the key to something that is kept between requests. */
export function sessionStates(file: SourceFile): Observation[] {
    if (!file.getFullText().includes('sessionId')) return [];
    return file.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression).flatMap(node => {
        if (node.getName() !== 'sessionId' || !isOfContext(node)) return [];
        const store = storeKeyedBy(node);
        return store === undefined ? [] : [observe('session-state', 'key', node, { store })];
    });
}

/** Of the context that a handler is given; transports have a `sessionId` too, for their own route. */
function isOfContext(node: Node): boolean {
    const object = memberObject(node);
    const property = object?.getType().getNonNullableType().getProperty('sessionId');
    const ofSdk = property?.getDeclarations().some(isSdkDeclaration) === true;
    return (
        ofSdk &&
        object?.getType().getNonNullableType().getProperty('handleRequest') === undefined &&
        /^(?:_?ctx|context|extra|\w*[cC]ontext|\w*[eE]xtra)$/.test(object?.getText() ?? '')
    );
}

function storeKeyedBy(key: Node, depth = 0): string | undefined {
    const outer = outerOperand(key);
    const parent = outer.getParent();
    if (Node.isElementAccessExpression(parent) && parent.getArgumentExpression() === outer)
        return parent.getExpression().getText();
    if (Node.isCallExpression(parent) && parent.getArguments()[0] === outer && KEYED.has(calleeName(parent) ?? '')) {
        return memberObject(unwrap(parent.getExpression()))?.getText();
    }
    if (!Node.isVariableDeclaration(parent) || depth > 0) return undefined;
    const name = parent.getNameNode();
    if (!Node.isIdentifier(name)) return undefined;
    const uses = name.findReferencesAsNodes().filter(use => use !== name);
    return uses.map(use => storeKeyedBy(use, depth + 1)).find(store => store !== undefined);
}

/** `x ?? 'default'`, `x!`, `String(x)` have the value of `x` where there is one. */
function outerOperand(node: Node): Node {
    const outer = outermost(node);
    const parent = outer.getParent();
    return Node.isBinaryExpression(parent) &&
        parent.getLeft() === outer &&
        ['??', '||'].includes(parent.getOperatorToken().getText())
        ? outermost(parent)
        : outer;
}
