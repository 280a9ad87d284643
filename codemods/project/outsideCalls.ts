import { Node } from 'ts-morph';
import type { CallExpression } from 'ts-morph';
import {
    LOGGER_NAME,
    LOGGING_METHOD,
    MUTATING_METHODS,
    NEW_EACH_TIME,
    NOTIFYING_METHOD,
    PASSES_OR_THROWS,
    PROCESS_CLOCK,
    PURE_MODULES,
    PURE_PACKAGES,
    READING_FS,
    READING_NAME,
    VOLATILE,
    WRITING_NAME
} from '../facts/effects.js';
import type { Effect } from './effects.js';
import { isSdkDeclaration } from './ownership.js';
import { calleeName, chainRoot, memberName, memberObject, outermost, unwrap } from './syntax.js';

/** What a call does, without the place. */
export type Deed = Omit<Effect, 'node'>;

/**
 * Judges a call of something outside the project, by module and name.
 *
 * @param changed the shared state that a mutating method is called on.
 */
export function outsideCall(
    call: CallExpression,
    changed: { name: string; state?: Node } | undefined
): Deed | undefined {
    const callee = unwrap(call.getExpression());
    const name = calleeName(call) ?? '';
    const text = shortText(callee);
    if (PROCESS_CLOCK.test(text))
        return { kind: 'volatile', what: `${text}() counts from the start of the process`, bound: true };
    if (VOLATILE.test(text)) return { kind: 'volatile', what: `${text}() is another one each time` };
    if (name === 'setTimeout' || name === 'setInterval' || name === 'setImmediate') {
        return isDelay(call)
            ? { kind: 'read', what: `${name}(…) waits` }
            : { kind: 'timer', what: `${name}(…) starts a timer` };
    }
    if (isLogging(callee, name) || throughContext(callee)) return undefined;
    const home = homeOf(callee);
    switch (home.kind) {
        case 'language':
            if (name === 'fetch') return { kind: 'effect', what: 'fetch(…) talks to another machine' };
            if (changed === undefined) return undefined;
            return stateChange(`${text}(…) changes ${changed.name}, which outlives the call`, changed.state);
        case 'sdk':
            return NOTIFYING_METHOD.test(name) ? notification(name) : undefined;
        case 'node':
            return nodeCall(home.name, name, text);
        case 'package':
            return PURE_PACKAGES.has(home.name) ? undefined : namedCall(call, name, text, changed);
        case 'unknown':
            return namedCall(call, name, text, changed);
    }
}

export const stateChange = (what: string, state: Node | undefined): Deed => ({
    kind: 'effect',
    what,
    ...(state === undefined ? {} : { state })
});

/** At most 60 characters of a callee, on one line. */
export function shortText(node: Node): string {
    const text = node.getText().replace(/\?\./g, '.').replace(/\s+/g, '');
    return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

const notification = (name: string): Deed => ({ kind: 'notification', what: `${name}(…) notifies the client` });

/** `resolve => setTimeout(resolve, ms)`: nothing but time passes. */
function isDelay(call: CallExpression): boolean {
    const [first] = call.getArguments();
    const executor = call.getFirstAncestor(Node.isArrowFunction);
    const promise = executor?.getParent();
    if (first === undefined || !Node.isNewExpression(promise) || promise.getExpression().getText() !== 'Promise')
        return false;
    return executor?.getParameters()[0]?.getName() === first.getText();
}

/** The runtime keeps what goes through the context of the request to the round that it belongs to (engine rule 14). */
function throughContext(callee: Node): boolean {
    return (
        /^(?:_?ctx|extra|context|mcpCtx)$/.test(chainRoot(callee).getText()) &&
        /\bmcpReq\b|\bsendNotification$/.test(callee.getText())
    );
}

export function isLogging(callee: Node, name: string): boolean {
    const object = memberObject(callee);
    if (object === undefined) return /^(?:log|debug)$/.test(name);
    const receiver = memberName(unwrap(object)) ?? unwrap(object).getText();
    return LOGGER_NAME.test(receiver) && (LOGGING_METHOD.test(name) || receiver === 'console');
}

export interface Home {
    kind: 'language' | 'node' | 'sdk' | 'package' | 'unknown';
    name: string;
}

/** Where the function behind a callee comes from. */
export function homeOf(callee: Node): Home {
    const nameNode = Node.isPropertyAccessExpression(callee) ? callee.getNameNode() : callee;
    const symbol = nameNode.getSymbol();
    const declaration = ((symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations() ?? [])[0];
    if (declaration === undefined) return { kind: 'unknown', name: '' };
    if (isSdkDeclaration(declaration)) return { kind: 'sdk', name: '' };
    const path = declaration.getSourceFile().getFilePath();
    if (/\/lib\.[\w.]+\.d\.ts$/.test(path)) return { kind: 'language', name: '' };
    const nodeModule = /\/@types\/node\/(?:.*\/)?([\w-]+?)(?:\.promises)?\.d\.ts$/.exec(path);
    if (nodeModule !== null) {
        // `fetch` and its kin are declared among the globals.
        if (nameNode.getText() === 'fetch') return { kind: 'language', name: '' };
        return { kind: 'node', name: path.includes('/fs/') ? 'fs' : (nodeModule[1] ?? '') };
    }
    const inPackage = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(path);
    if (inPackage !== null) return { kind: 'package', name: inPackage[1] ?? '' };
    return { kind: 'unknown', name: '' };
}

function nodeCall(module: string, name: string, text: string): Deed | undefined {
    if (PURE_MODULES.has(module)) {
        return /\.(?:write|exit|kill|chdir)$/.test(text) ? { kind: 'effect', what: `${text}(…) acts` } : undefined;
    }
    if (module === 'fs') {
        return READING_FS.test(name)
            ? { kind: 'read', what: `${name}(…) reads files` }
            : { kind: 'effect', what: `${name}(…) writes files` };
    }
    if (module === 'crypto') return undefined;
    if (module === 'timers') {
        return /^setTimeout$/.test(name) && text === 'setTimeout'
            ? { kind: 'read', what: `${name}(…) waits` }
            : { kind: 'timer', what: `${name}(…) starts a timer` };
    }
    return { kind: 'effect', what: `${text}(…) of node:${module} acts` };
}

/** All that is known is the name: awaited and not called like a look, or called like a change. */
function namedCall(
    call: CallExpression,
    name: string,
    text: string,
    changed: { name: string; state?: Node } | undefined
): Deed | undefined {
    if (NOTIFYING_METHOD.test(name)) return notification(name);
    if (changed !== undefined)
        return stateChange(`${text}(…) changes ${changed.name}, which outlives the call`, changed.state);
    if (WRITING_NAME.test(name) && !MUTATING_METHODS.has(name)) {
        return { kind: 'effect', what: `${text}(…) changes something, by its name` };
    }
    if (isDropped(call) && !PASSES_OR_THROWS.test(name)) {
        return { kind: 'effect', what: `${text}(…) is called for what it does, which is not known` };
    }
    if (NEW_EACH_TIME.test(name))
        return { kind: 'effect', what: `${text}(…) gives another value each time, by its name` };
    if (!isAwaited(call)) return undefined;
    return READING_NAME.test(name)
        ? { kind: 'read', what: `${text}(…) reads something outside` }
        : { kind: 'effect', what: `${text}(…) is awaited and not known to be harmless` };
}

/** Whether nothing uses the value of a call: it is a statement, or all that a callback of `forEach` does. */
export function isDropped(call: Node): boolean {
    let child = outermost(call);
    for (let parent = child.getParent(); parent !== undefined; parent = child.getParent()) {
        if (Node.isExpressionStatement(parent)) return true;
        if (Node.isArrowFunction(parent) && parent.getBody() === child) {
            const around = parent.getParent();
            return Node.isCallExpression(around) && calleeName(around) === 'forEach';
        }
        const last =
            Node.isVoidExpression(parent) ||
            (Node.isBinaryExpression(parent) &&
                ['&&', '||', '??', ','].includes(parent.getOperatorToken().getText()) &&
                parent.getRight() === child) ||
            (Node.isConditionalExpression(parent) && parent.getCondition() !== child);
        if (!last) return false;
        child = outermost(parent);
    }
    return false;
}

/** Whether something waits for the promise of a call: here, or whoever it is returned to. */
export function isAwaited(call: Node): boolean {
    for (let parent = call.getParent(); parent !== undefined; parent = parent.getParent()) {
        if (Node.isAwaitExpression(parent)) return true;
        if (Node.isPropertyAccessExpression(parent)) return ['then', 'catch', 'finally'].includes(parent.getName());
        if (Node.isReturnStatement(parent) || Node.isArrowFunction(parent)) {
            return call.getType().getSymbol()?.getName() === 'Promise';
        }
        const looksThrough =
            Node.isParenthesizedExpression(parent) ||
            Node.isNonNullExpression(parent) ||
            Node.isAsExpression(parent) ||
            // Promise.all([call()]) waits for it too.
            Node.isArrayLiteralExpression(parent);
        if (!looksThrough) {
            return Node.isCallExpression(parent) && parent.getExpression().getText().startsWith('Promise.');
        }
    }
    return false;
}
