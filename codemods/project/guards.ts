import { Node, SyntaxKind } from 'ts-morph';
import type { SourceFile } from 'ts-morph';
import type { GuardFact } from '../facts/facts.js';
import { CAPABILITIES_GETTER } from '../facts/surface.js';
import { spanOf } from './contextParameters.js';
import { whoseCall } from './ownership.js';
import type { Subject } from './subjects.js';
import { calleeName, memberObject, unwrap } from './syntax.js';

/** Every `X.getClientCapabilities()` of an SDK server in a file. */
export function capabilityReads(file: SourceFile): Node[] {
    if (!file.getFullText().includes(CAPABILITIES_GETTER)) return [];
    return file.getDescendantsOfKind(SyntaxKind.CallExpression).filter(node => {
        if (calleeName(node) !== CAPABILITIES_GETTER || node.getArguments().length > 0) return false;
        const callee = unwrap(node.getExpression());
        const { kind } = whoseCall(callee);
        // Without a receiver the name alone says nothing: a service of the project's own may be called so.
        return kind === 'sdk' || (memberObject(callee) !== undefined && ['name', 'typed'].includes(kind));
    });
}

export function guardFact({ node, provider }: Subject): GuardFact {
    const callee = Node.isCallExpression(node) ? unwrap(node.getExpression()) : undefined;
    const receiver = callee === undefined ? undefined : memberObject(callee);
    return {
        file: node.getSourceFile().getFilePath(),
        call: spanOf(node),
        receiver: receiver?.getText() ?? '',
        ...(typeof provider === 'string' ? {} : { context: provider.id })
    };
}

const REGISTERS_OR_ASSIGNS =
    /\b(?:registerTool|registerPrompt|registerResource|tool|enable|disable|setRequestHandler)\(|[^=!<>]=[^=>]/;

/**
 * Whether what a read of the capabilities says is kept beyond it: in a variable, a result, or in what is registered. Such
 * a read outside a request decides about requests to come, and on 2026-07-28 it would always decide "no".
 */
export function isKept(read: Node): boolean {
    for (const ancestor of read.getAncestors()) {
        if (Node.isReturnStatement(ancestor) || Node.isVariableDeclaration(ancestor)) return true;
        if (Node.isBinaryExpression(ancestor) && /^(?:\|\||\?\?|&&)?=$/.test(ancestor.getOperatorToken().getText())) {
            return !/\.on\w+$/.test(ancestor.getLeft().getText());
        }
        if (Node.isIfStatement(ancestor)) return REGISTERS_OR_ASSIGNS.test(ancestor.getText());
        if (Node.isStatement(ancestor)) return false;
    }
    return true;
}
