import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression, SourceFile } from 'ts-morph';
import { usesOf } from '../references.js';
import { calleeName, memberName, objectLiteralOf, propertyValue, stringValue, unwrap } from '../syntax.js';
import { observe } from './observation.js';
import type { Observation } from './observation.js';
import { isInputRequired } from './runtimeAsks.js';

/** State that travels through the client, and the keys that seal it. */
export function states(file: SourceFile): Observation[] {
    const text = file.getFullText();
    if (!/inputRequired|inputResponses|createRequestStateCodec|createMrtr/.test(text)) return [];
    const calls = file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap(call => {
        if (isInputRequired(call)) return unsealed(call);
        return /^(?:createRequestStateCodec|createMrtr)$/.test(calleeName(call) ?? '') ? weakKeys(call) : [];
    });
    if (!text.includes('inputResponses')) return calls;
    const members = [
        ...file.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression),
        ...file.getDescendantsOfKind(SyntaxKind.ElementAccessExpression)
    ];
    return [...calls, ...members.flatMap(unchecked)];
}

/** `inputRequired({ requestState: JSON.stringify(…) })`: text that the client can change. */
function unsealed(call: CallExpression): Observation[] {
    const state = propertyValue(objectLiteralOf(call.getArguments()[0]), 'requestState');
    const plain = state === undefined ? undefined : plainText(state);
    return plain === undefined || state === undefined
        ? []
        : [observe('unsealed-state', 'plain', state, { how: plain })];
}

/** How a text is made that nobody sealed; undefined where it may be sealed. */
function plainText(node: Node, depth = 0): string | undefined {
    const value = unwrap(node);
    if (Node.isStringLiteral(value) || Node.isNoSubstitutionTemplateLiteral(value)) return 'a literal';
    if (Node.isTemplateExpression(value)) {
        return value.getTemplateSpans().some(span => Node.isCallExpression(unwrap(span.getExpression())))
            ? undefined
            : 'a template';
    }
    if (Node.isCallExpression(value)) {
        const callee = value.getExpression().getText();
        if (callee === 'JSON.stringify' || callee === 'btoa' || callee === 'encodeURIComponent') return `${callee}(…)`;
        return /^Buffer\.from\(.*\)\.toString$/s.test(callee) && !/seal|sign|encrypt|mint|hmac|cipher/i.test(callee)
            ? 'Buffer.from(…).toString(…)'
            : undefined;
    }
    if (!Node.isIdentifier(value) || depth > 2) return undefined;
    const declaration = value.getSymbol()?.getDeclarations()[0];
    const initializer = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
    return initializer === undefined ? undefined : plainText(initializer, depth + 1);
}

/** Bytes of a key, below which the codec and the runtime refuse it when they start. */
const KEY_BYTES = 32;

/** `createMrtr({ key: 'secret' })`, `{ key: process.env.KEY ?? 'dev' }`. */
function weakKeys(call: CallExpression): Observation[] {
    const options = objectLiteralOf(call.getArguments()[0]);
    const key = propertyValue(options, 'key') ?? propertyValue(options, 'keys') ?? propertyValue(options, 'secret');
    const literal = key === undefined ? undefined : literalIn(key);
    if (literal === undefined) return [];
    const bytes = Buffer.byteLength(literal.text);
    return [observe('weak-state-key', bytes < KEY_BYTES ? 'short' : 'literal', literal.node, { bytes: String(bytes) })];
}

function literalIn(node: Node, depth = 0): { node: Node; text: string } | undefined {
    const value = unwrap(node);
    const text =
        Node.isStringLiteral(value) || Node.isNoSubstitutionTemplateLiteral(value)
            ? value.getLiteralValue()
            : undefined;
    if (text !== undefined) return { node: value, text };
    if (depth > 3) return undefined;
    const next = (one: Node | undefined): ReturnType<typeof literalIn> =>
        one === undefined ? undefined : literalIn(one, depth + 1);
    if (Node.isBinaryExpression(value) && ['??', '||'].includes(value.getOperatorToken().getText()))
        return next(value.getLeft()) ?? next(value.getRight());
    if (Node.isConditionalExpression(value)) return next(value.getWhenTrue()) ?? next(value.getWhenFalse());
    if (Node.isArrayLiteralExpression(value))
        return value
            .getElements()
            .map(next)
            .find(found => found !== undefined);
    if (
        Node.isCallExpression(value) &&
        /^(?:Buffer\.from|new TextEncoder\(\)\.encode|\w+\.encode)$/.test(value.getExpression().getText())
    )
        return next(value.getArguments()[0]);
    if (!Node.isIdentifier(value)) return undefined;
    const declaration = value.getSymbol()?.getDeclarations()[0];
    return Node.isVariableDeclaration(declaration) ? next(declaration.getInitializer()) : undefined;
}

/** `ctx.mcpReq.inputResponses.confirm.content.amount`: what the client sent, taken as it is. */
function unchecked(node: Node): Observation[] {
    if (memberName(node) !== 'content') return [];
    const chain = node.getText().replace(/\s+/g, '');
    if (!/\binputResponses\b/.test(chain) && !/\binputResponses\b/.test(sourceOf(node))) return [];
    const parent = node.getParent();
    const validated = Node.isCallExpression(parent) && parent.getArguments().some(one => one === node);
    return validated || isCheckedByHand(node) || isCheckedLater(node)
        ? []
        : [observe('unchecked-response', 'content', node, {})];
}

/** What the variable at the root of a chain was made of. */
function sourceOf(node: Node): string {
    const root = node.getFirstDescendant(Node.isIdentifier);
    const declaration = root?.getSymbol()?.getDeclarations()[0];
    const initializer = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
    const text = initializer?.getText() ?? '';
    return /\b(?:acceptedContent|inputResponse|parse|safeParse|validate)\s*\(/.test(text) ? '' : text;
}

/** Compared with a literal, its type asked for: the value is looked at where it is used. */
function isCheckedByHand(node: Node): boolean {
    for (const ancestor of node.getAncestors()) {
        if (Node.isTypeOfExpression(ancestor)) return true;
        if (Node.isBinaryExpression(ancestor) && /^[!=]==$/.test(ancestor.getOperatorToken().getText())) {
            return (
                stringValue(ancestor.getRight()) !== undefined ||
                /^(?:true|false|undefined|null|[\d.]+)$/.test(ancestor.getRight().getText())
            );
        }
        if (
            Node.isCallExpression(ancestor) &&
            /\b(?:parse|safeParse|validate)$/.test(ancestor.getExpression().getText())
        )
            return true;
        const condition = Node.isIfStatement(ancestor)
            ? ancestor.getExpression()
            : Node.isConditionalExpression(ancestor)
              ? ancestor.getCondition()
              : undefined;
        if (condition !== undefined && /\btypeof\b/.test(condition.getText()) && plain(condition).includes(plain(node)))
            return true;
    }
    return false;
}

/** `const text = responses.greeting?.content?.text; if (typeof text !== 'string') …` */
function isCheckedLater(node: Node): boolean {
    const declaration = node.getFirstAncestor(Node.isVariableDeclaration);
    const name = declaration?.getNameNode();
    const statement = node.getFirstAncestor(one => Node.isStatement(one));
    if (!Node.isIdentifier(name) || statement !== declaration?.getVariableStatement()) return false;
    return usesOf(name).some(isCheckedByHand);
}

const plain = (node: Node): string => node.getText().replace(/[?!\s]/g, '');
