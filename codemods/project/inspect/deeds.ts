import { Node, SyntaxKind } from 'ts-morph';
import { REMOTE_WRITE } from '../../facts/effects.js';
import type { Effect } from '../effects.js';
import { isAwaited } from '../outsideCalls.js';
import { calleeName, objectLiteralOf, propertyValue, stringValue, unwrap } from '../syntax.js';

/**
 * What an effect is to the lint. The migration is careful and takes everything unknown that is awaited for an effect; a
 * lint that did so would not be read. So here only what is known by its module, or plainly called a write, is one.
 */
export type Deed = 'write' | 'state' | 'timer' | 'volatile';

export function deedOf(effect: Effect): Deed | undefined {
    const origin = effect.origin ?? effect.node;
    const what = effect.what.replace(/^.* → /, '');
    switch (effect.kind) {
        case 'timer':
            return 'timer';
        case 'volatile':
            return 'volatile';
        case 'read':
        case 'notification':
            return undefined;
        case 'effect':
            if (what.endsWith('outlives the call')) return accumulates(origin) ? 'state' : undefined;
            return writes(origin, what) ? 'write' : undefined;
    }
}

const ADDING: ReadonlySet<string> = new Set(['push', 'unshift', 'pop', 'shift', 'splice', 'append', 'reverse']);

/** Whether doing it twice is another thing than doing it once. */
function accumulates(change: Node): boolean {
    if (Node.isPrefixUnaryExpression(change) || Node.isPostfixUnaryExpression(change)) return true;
    if (Node.isCallExpression(change)) {
        if (ADDING.has(calleeName(change) ?? '')) return true;
        const object = change.getExpression().getFirstDescendant(node => Node.isIdentifier(node));
        return (
            calleeName(change) === 'set' &&
            change
                .getArguments()
                .slice(1)
                .some(value => dependsOn(value, object?.getText()))
        );
    }
    if (!Node.isBinaryExpression(change)) return false;
    const operator = change.getOperatorToken().getText();
    if (operator === '=') return dependsOn(change.getRight(), change.getLeft().getText());
    return operator !== '??=' && operator !== '||=' && operator !== '&&=';
}

/** Whether a value is made of what a state was before: `left - 1` where `left` is `free.get(show)`. */
function dependsOn(value: Node, state: string | undefined): boolean {
    if (state === undefined) return false;
    const reads = (node: Node): boolean => new RegExp(`(?<![\\w.])${escaped(state)}(?!\\w)`).test(node.getText());
    if (Node.isObjectLiteralExpression(unwrap(value)) || Node.isNewExpression(unwrap(value))) return false;
    if (reads(value)) return true;
    const names = [value, ...value.getDescendantsOfKind(SyntaxKind.Identifier)].filter(Node.isIdentifier);
    return names.some(name => {
        const declaration = name.getSymbol()?.getDeclarations()[0];
        const initializer = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
        return initializer !== undefined && reads(initializer);
    });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Names of `fs` that are neither reads nor changes of what is there. */
const HARMLESS_FS = /^(?:createReadStream|close|watch|unwatch|open|mkdir|mkdtemp|ensureDir|promises|constants|fsync)/;

/** Arguments of a command that only looks. */
const LOOKING_COMMAND =
    /^(?:status|log|list|ls|show|get|version|--version|diff|rev-parse|describe|which|where|cat|info|config|--help|branch|remote|ps|inspect)$/;

function writes(call: Node, what: string): boolean {
    if (!Node.isCallExpression(call)) return false;
    const name = calleeName(call) ?? '';
    if (what.startsWith('fetch(')) return isWritingFetch(call);
    if (what.endsWith('writes files')) return !HARMLESS_FS.test(name);
    if (/of node:child_process acts$/.test(what)) return !looksOnly(call);
    if (/^process\.(?:kill|exit)\(/.test(what)) return true;
    if (!what.endsWith('changes something, by its name')) return false;
    return (
        REMOTE_WRITE.test(name) &&
        !/^(?:create|run|exec|execute|record|notify|send|post)(?:Server|Client|Logger|Error|Message|Log|Metric|Event|Telemetry)/.test(
            name
        ) &&
        isAwaited(call) &&
        !isQuery(call)
    );
}

/** Without a method, or with one that only looks, nothing is changed. */
function isWritingFetch(call: Node): boolean {
    if (!Node.isCallExpression(call)) return false;
    const options = call.getArguments()[1];
    const method = stringValue(propertyValue(objectLiteralOf(options), 'method'));
    return method !== undefined && !/^(?:get|head|options)$/i.test(method);
}

function looksOnly(call: Node): boolean {
    if (!Node.isCallExpression(call)) return false;
    return call.getDescendantsOfKind(SyntaxKind.StringLiteral).some(literal =>
        literal
            .getLiteralValue()
            .split(/\s+/)
            .some(word => LOOKING_COMMAND.test(word))
    );
}

/** `db.execute('SELECT …')`. */
function isQuery(call: Node): boolean {
    const [first] = Node.isCallExpression(call) ? call.getArguments() : [];
    return (
        first !== undefined &&
        /^\W*(?:select|with|pragma|explain|show|describe|match|query)\b/i.test(stringValue(first) ?? first.getText())
    );
}
