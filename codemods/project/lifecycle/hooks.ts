import { Node } from 'ts-morph';
import type { SourceFile } from 'ts-morph';
import { functionBehind } from '../functionValues.js';
import { memberName, memberObject, stringValue, unwrap } from '../syntax.js';
import type { FunctionNode } from '../syntax.js';

/** A function that the SDK calls outside any request. */
export interface Hook {
    event: 'initialized' | 'roots-changed';
    /** The statement that sets it. */
    statement: Node;
    /** `server.server`, as written. */
    server: string;
    fn: FunctionNode;
    /** The function is written where it is set. */
    inline: boolean;
}

const NOTIFICATIONS: Readonly<Record<string, Hook['event']>> = {
    'notifications/initialized': 'initialized',
    'notifications/roots/list_changed': 'roots-changed',
    InitializedNotificationSchema: 'initialized',
    RootsListChangedNotificationSchema: 'roots-changed'
};

/** `X.oninitialized = …` and the handlers of `initialized` and `roots/list_changed` in a file. */
export function findHooks(file: SourceFile): Hook[] {
    return file.getDescendants().flatMap(node => {
        const found = Node.isBinaryExpression(node)
            ? assignedHook(node)
            : Node.isCallExpression(node)
              ? notificationHook(node)
              : undefined;
        const statement = node.getParent();
        if (found === undefined || !Node.isExpressionStatement(statement)) return [];
        const fn = functionBehind(found.callback);
        if (fn === undefined) return [];
        const inline = unwrap(found.callback) === fn;
        return [{ event: found.event, server: found.server, statement, fn, inline }];
    });
}

interface Found {
    event: Hook['event'];
    server: string;
    callback: Node;
}

function assignedHook(node: Node): Found | undefined {
    if (!Node.isBinaryExpression(node) || node.getOperatorToken().getText() !== '=') return undefined;
    const left = node.getLeft();
    if (memberName(left) !== 'oninitialized') return undefined;
    return { event: 'initialized', server: memberObject(left)?.getText() ?? '', callback: node.getRight() };
}

function notificationHook(node: Node): Found | undefined {
    if (!Node.isCallExpression(node)) return undefined;
    const callee = unwrap(node.getExpression());
    const [method, callback] = node.getArguments();
    if (memberName(callee) !== 'setNotificationHandler' || method === undefined || callback === undefined) {
        return undefined;
    }
    const event = NOTIFICATIONS[stringValue(method) ?? method.getText()];
    return event === undefined ? undefined : { event, server: memberObject(callee)?.getText() ?? '', callback };
}
