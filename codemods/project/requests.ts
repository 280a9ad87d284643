import { Node } from 'ts-morph';
import type { CallExpression, ObjectLiteralElementLike } from 'ts-morph';
import type { RequestFact, SiteFact, Span } from '../facts/facts.js';
import type { SiteKind } from '../report.js';
import { spanOf } from './contextParameters.js';
import type { SiteForm } from './sites.js';
import { enclosingFunction, objectLiteralOf, propertyValue, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';

/** Reads the parameters of the request out of the arguments of a push call. */
export function requestOf(call: CallExpression, form: SiteForm, kind: SiteKind): RequestFact | undefined {
    const first = call.getArguments()[0];
    if (first !== undefined && Node.isSpreadElement(first)) return undefined;
    if (kind === 'roots') return { form: 'none' };
    if (first === undefined) return undefined;
    if (form === 'push') return { form: 'params', span: spanOf(first), ...commentsBehind(first, call) };
    const request = unwrap(first);
    if (Node.isObjectLiteralExpression(request)) {
        const params = propertyValue(request, 'params');
        return params === undefined
            ? undefined
            : { form: 'params', span: spanOf(params), ...commentsBehind(first, call) };
    }
    if (Node.isIdentifier(request) && objectLiteralOf(request) !== undefined) {
        return { form: 'property', text: `${request.getText()}.params` };
    }
    return undefined;
}

/** What the author wrote above the other arguments of a call. */
function commentsBehind(first: Node, call: CallExpression): { comments: string[]; indent: string } {
    const others = call.getArguments().slice(1);
    const text = call.getSourceFile().getFullText();
    const line = text.slice(text.lastIndexOf('\n', first.getEnd() - 1) + 1, first.getEnd());
    return {
        comments: others
            .flatMap(one => one.getLeadingCommentRanges())
            .filter(comment => text.slice(text.lastIndexOf('\n', comment.getPos()) + 1, comment.getPos()).trim() === '')
            .map(comment => comment.getText()),
        indent: /^[ \t]*/.exec(line)?.[0] ?? ''
    };
}

/**
 * `sendRequest` of a context that is SDK v2's by now: by its type, or because nothing is known but that SDK v2 calls the
 * handler.
 */
export function sendNameOf(call: CallExpression): Span | undefined {
    const callee = unwrap(call.getExpression());
    if (!Node.isPropertyAccessExpression(callee) || callee.getName() !== 'sendRequest') return undefined;
    const type = callee.getExpression().getType();
    return type.isAny() || type.getProperty('mcpReq') !== undefined ? spanOf(callee.getNameNode()) : undefined;
}

/**
 * Names of the options that the old call was given beside the request, and that mean nothing on 2026-07-28. The request
 * that an ask belongs to, and its signal, are what an ask of the context has anyway.
 */
export function optionsOf(call: CallExpression, form: SiteForm): string[] {
    const rest = call.getArguments().slice(1).map(unwrap);
    const options = rest.filter(argument => form === 'push' || !isResultSchema(argument));
    return options.flatMap(argument => {
        const literal = objectLiteralOf(argument);
        if (!Node.isObjectLiteralExpression(literal))
            return argument.getText() === 'undefined' ? [] : [argument.getText()];
        return literal
            .getProperties()
            .filter(property => !isOfRequest(property))
            .map(property => ('getName' in property ? property.getName() : property.getText()));
    });
}

/** `relatedRequestId`, and the `signal` of a handler's context. */
function isOfRequest(property: ObjectLiteralElementLike): boolean {
    if (!Node.isPropertyAssignment(property)) return false;
    if (property.getName() === 'relatedRequestId') return true;
    return (
        property.getName() === 'signal' &&
        /^(?:\w+\.mcpReq|extra|ctx|context)\??\.signal$/.test(property.getInitializer()?.getText() ?? '')
    );
}

/** `ElicitResultSchema`, `z.any()`: says how to parse the result; a checked answer needs no second parse. */
function isResultSchema(node: Node): boolean {
    const literal = objectLiteralOf(node);
    if (literal !== undefined) return false;
    if (/Schema$|^Answer$|^Completion$|\bz(?:od)?\./.test(node.getText())) return true;
    const type = node.getType();
    return type.getProperty('safeParse') !== undefined || type.getProperty('~standard') !== undefined;
}

/** What a readable key can be made of. */
export function keyHintsOf(call: Node, params: Node | undefined): SiteFact['keyHints'] {
    const schema = objectLiteralOf(propertyValue(objectLiteralOf(params), 'requestedSchema'));
    const properties = objectLiteralOf(propertyValue(schema, 'properties'));
    const names = Node.isObjectLiteralExpression(properties)
        ? properties
              .getProperties()
              .flatMap(property => ('getName' in property ? [property.getName().replace(/['"]/g, '')] : []))
        : [];
    const variable = variableTaking(call);
    const enclosing = nameOf(enclosingFunction(call));
    return {
        properties: names,
        ...(variable === undefined ? {} : { variable }),
        ...(enclosing === undefined ? {} : { enclosing })
    };
}

export function paramsNode(call: CallExpression, form: SiteForm): Node | undefined {
    const first = call.getArguments()[0];
    if (form === 'push' || first === undefined) return first;
    return propertyValue(objectLiteralOf(first), 'params');
}

function variableTaking(call: Node): string | undefined {
    let node: Node | undefined = call.getParent();
    while (
        node !== undefined &&
        (Node.isAwaitExpression(node) || Node.isParenthesizedExpression(node) || Node.isAsExpression(node))
    ) {
        node = node.getParent();
    }
    if (Node.isVariableDeclaration(node) && Node.isIdentifier(node.getNameNode())) return node.getName();
    return undefined;
}

function nameOf(fn: FunctionNode | undefined): string | undefined {
    if (fn === undefined) return undefined;
    if (Node.isFunctionDeclaration(fn) || Node.isMethodDeclaration(fn) || Node.isFunctionExpression(fn))
        return fn.getName();
    const parent = fn.getParent();
    return Node.isVariableDeclaration(parent) ? parent.getName() : undefined;
}
