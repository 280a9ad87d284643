import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression } from 'ts-morph';
import type { TransportHooks } from '../facts/facts.js';
import { indentOf, lineEnd, lineStart } from './lifecycle/lines.js';
import { enclosingFunction, isFunctionNode, memberName, memberObject, unwrap } from './syntax.js';

type Hook = 'onclose' | 'onerror';

/**
 * What was hung on a transport before a server is connected to it. `connect` calls it beside its own; `serveStdio` puts its
 * own in the place of it.
 *
 * @returns how it goes on being called, or why it cannot; undefined where nothing is.
 */
export function transportHooks(connect: CallExpression, transport: Node): TransportHooks | string | undefined {
    const hooks = (['onclose', 'onerror'] as const).filter(hook => isSet(hook, connect, transport));
    const onerror = hooks.includes('onerror');
    if (!hooks.includes('onclose')) return onerror ? { onerror } : undefined;
    const statement = connect.getFirstAncestor(one => Node.isStatement(one));
    const alone =
        (Node.isExpressionStatement(statement) || Node.isVariableStatement(statement)) &&
        enclosingFunction(statement) === enclosingFunction(connect);
    const text = connect.getSourceFile().getFullText();
    if (!alone || !ownsLines(statement, text)) {
        return `serveStdio takes the place of ${transport.getText()}.onclose; connect it in a statement of its own`;
    }
    return {
        onerror,
        onclose: {
            before: lineStart(text, statement.getStart()),
            after: lineEnd(text, statement.getEnd()),
            indent: indentOf(text, statement.getStart())
        }
    };
}

function ownsLines(statement: Node, text: string): boolean {
    const before = text.slice(lineStart(text, statement.getStart()), statement.getStart());
    const behind = text.slice(statement.getEnd(), lineEnd(text, statement.getEnd()));
    return before.trim() === '' && /^\s*(?:\/\/.*\s*)?$/.test(behind) && behind.endsWith('\n');
}

function isSet(hook: Hook, connect: CallExpression, transport: Node): boolean {
    const file = connect.getSourceFile();
    const assigned = file
        .getDescendantsOfKind(SyntaxKind.BinaryExpression)
        .filter(one => /^(?:\?\?|\|\|)?=$/.test(one.getOperatorToken().getText()))
        .filter(one => {
            const left = unwrap(one.getLeft());
            const object = memberObject(left);
            return memberName(left) === hook && object !== undefined && isSame(unwrap(object), transport);
        });
    // What is hung on it afterwards takes the place of what the entry needs, as it did before.
    return assigned.some(one => !isBehind(one, connect)) || handedToSetter(hook, connect, transport);
}

const isBehind = (one: Node, connect: Node): boolean =>
    enclosingFunction(one) === enclosingFunction(connect) && one.getStart() > connect.getEnd();

/** `stopOnClose(transport)`, and the function sets it. */
function handedToSetter(hook: Hook, connect: CallExpression, transport: Node): boolean {
    const calls = connect.getSourceFile().getDescendantsOfKind(SyntaxKind.CallExpression);
    return calls.some(call => {
        if (call === connect || !call.getArguments().some(one => isSame(unwrap(one), transport))) return false;
        const symbol = unwrap(call.getExpression()).getSymbol();
        const declaration = (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations()[0];
        const value = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : declaration;
        return isFunctionNode(value) && new RegExp(`\\.${hook}\\s*=[^=]`).test(value.getText());
    });
}

const isSame = (one: Node, transport: Node): boolean =>
    one.getText() === transport.getText() && one.getSymbol() === transport.getSymbol();
