import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression, NewExpression } from 'ts-morph';
import {
    LOGGER_NAME,
    LOGGING_METHOD,
    MUTATING_METHODS,
    NOTIFYING_METHOD,
    PURE_MODULES,
    PURE_PACKAGES,
    READING_FS,
    READING_NAME,
    VOLATILE,
    WRITING_NAME
} from '../facts/effects.js';
import { frameOfFunction } from './frames.js';
import { calledFunction } from './functionValues.js';
import { isSdkDeclaration } from './ownership.js';
import {
    calleeName,
    chainRoot,
    enclosingFunction,
    isFunctionNode,
    memberName,
    memberObject,
    unwrap
} from './syntax.js';
import type { FunctionNode } from './syntax.js';

/** What running a piece of code again would do. */
export interface Effect {
    kind: 'effect' | 'read' | 'volatile' | 'timer' | 'notification';
    node: Node;
    /** A verb phrase for messages: `appendFileSync(…) writes`. */
    what: string;
}

/** What `EffectScan` has to know about the project around it. */
export interface EffectContext {
    /** Push calls (and calls of functions that only lead to them) are no effects of their own. */
    isAsk(call: Node): boolean;
    /** Registered with the SDK: each of its runs is a call of its own. */
    isHandler(fn: FunctionNode): boolean;
    /** The functions given for a parameter at all calls, or undefined when one cannot be known. */
    functionsGivenFor(parameter: Node): FunctionNode[] | undefined;
}

/**
 * Finds what a piece of code does besides computing. Functions of the project are looked into, at any depth; what
 * lies outside is judged by module and name. Awaiting something unknown counts as an effect: better a site too many
 * left to a person than a write that happens twice.
 */
export class EffectScan {
    private readonly bodies = new Map<FunctionNode, Effect[]>();

    constructor(private readonly context: EffectContext) {}

    /** Effects of evaluating `node`; functions defined in it count when they are arguments of a call. */
    of(node: Node): Effect[] {
        const found: Effect[] = [];
        this.visit(node, found);
        return found;
    }

    private visit(node: Node, found: Effect[]): void {
        if (isFunctionNode(node)) {
            if (isCallArgument(node)) this.visitChildren(node, found);
            return;
        }
        if (Node.isClassDeclaration(node) || Node.isClassExpression(node) || Node.isTypeNode(node)) return;
        if (Node.isCallExpression(node)) this.visitCall(node, found);
        else if (Node.isNewExpression(node)) visitNew(node, found);
        else if (Node.isBinaryExpression(node) && isAssignment(node.getOperatorToken().getKind())) {
            this.pushIfShared(node.getLeft(), node, found);
        } else if (Node.isPrefixUnaryExpression(node) || Node.isPostfixUnaryExpression(node)) {
            const operator = node.getOperatorToken();
            if (operator === SyntaxKind.PlusPlusToken || operator === SyntaxKind.MinusMinusToken) {
                this.pushIfShared(node.getOperand(), node, found);
            }
        } else if (Node.isDeleteExpression(node)) this.pushIfShared(node.getExpression(), node, found);
        else if (Node.isForOfStatement(node) && node.isAwaited()) {
            found.push({ kind: 'effect', node, what: 'for await reads a stream' });
        }
        this.visitChildren(node, found);
    }

    private visitChildren(node: Node, found: Effect[]): void {
        node.forEachChild(child => {
            this.visit(child, found);
        });
    }

    private visitCall(call: CallExpression, found: Effect[]): void {
        if (this.context.isAsk(call)) return;
        const own = calledFunction(call);
        if (own !== undefined) {
            found.push(...this.ofBody(own).map(effect => ({ ...effect, node: call, what: through(call, effect) })));
            return;
        }
        const given = this.parameterCall(call);
        if (given !== undefined) {
            found.push(...given);
            return;
        }
        const effect = this.outsideCall(call);
        if (effect !== undefined) found.push({ ...effect, node: call });
    }

    /** A call of one of the function's own parameters: what the callers give is known, or it is not. */
    private parameterCall(call: CallExpression): Effect[] | undefined {
        const callee = unwrap(call.getExpression());
        if (!Node.isIdentifier(callee)) return undefined;
        const declaration = callee.getSymbol()?.getDeclarations()[0];
        if (!Node.isParameterDeclaration(declaration)) return undefined;
        const functions = this.context.functionsGivenFor(declaration);
        if (functions !== undefined) {
            return functions.flatMap(fn => this.ofBody(fn)).map(effect => ({ ...effect, node: call }));
        }
        if (!isAwaited(call)) return [];
        return [{ kind: 'effect', node: call, what: `${callee.getText()}(…) runs code that is not known` }];
    }

    /** Changing something that outlives the call is an effect; changing a local variable is not. */
    private pushIfShared(target: Node, node: Node, found: Effect[]): void {
        const shared = this.sharedRoot(target);
        if (shared !== undefined)
            found.push({ kind: 'effect', node, what: `${shared} is changed, which outlives the call` });
    }

    /** The name of the state behind an expression when it is not local to the call it stands in. */
    private sharedRoot(expression: Node): string | undefined {
        const root = chainRoot(expression);
        if (Node.isThisExpression(root)) return expression.getText();
        if (!Node.isIdentifier(root)) return undefined;
        const declaration = root.getSymbol()?.getDeclarations()[0];
        const home = declaration === undefined ? undefined : enclosingFunction(declaration);
        if (home === undefined) return root.getText();
        // Declared in a function around this one: local only while that function is part of the same call.
        for (
            let scope = enclosingFunction(expression);
            scope !== undefined && scope !== home;
            scope = enclosingFunction(scope)
        ) {
            if (this.context.isHandler(scope) || frameOfFunction(scope) !== undefined) return root.getText();
        }
        return undefined;
    }

    /** Judges a call of something outside the project. */
    private outsideCall(call: CallExpression): Omit<Effect, 'node'> | undefined {
        const callee = unwrap(call.getExpression());
        const name = calleeName(call) ?? '';
        const text = callee.getText().replace(/\?\./g, '.').replace(/\s+/g, '');
        if (VOLATILE.test(text)) return { kind: 'volatile', what: `${text}() is another one each time` };
        if (name === 'setTimeout' || name === 'setInterval')
            return { kind: 'timer', what: `${name}(…) starts a timer` };
        if (isLogging(callee, name)) return undefined;
        const object = memberObject(callee);
        const changed = object !== undefined && MUTATING_METHODS.has(name) ? this.sharedRoot(object) : undefined;
        const home = homeOf(callee);
        switch (home.kind) {
            case 'language':
                if (name === 'fetch') return { kind: 'effect', what: 'fetch(…) talks to another machine' };
                if (changed === undefined) return undefined;
                return { kind: 'effect', what: `${text}(…) changes ${changed}, which outlives the call` };
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

    private ofBody(fn: FunctionNode): Effect[] {
        const known = this.bodies.get(fn);
        if (known !== undefined) return known;
        // Recursive functions: what is not known yet adds nothing.
        this.bodies.set(fn, []);
        const body = fn.getBody();
        // Defaults of parameters run with each call that leaves them out.
        const defaults = fn.getParameters().flatMap(parameter => parameter.getInitializer() ?? []);
        const effects = [...defaults, ...(body === undefined ? [] : [body])].flatMap(part => this.of(part));
        this.bodies.set(fn, effects);
        return effects;
    }
}

const through = (call: CallExpression, effect: Effect): string => {
    const name = `${calleeName(call) ?? 'a function'}(…)`;
    const inner = effect.what.replace(/^.* → /, '');
    return `${name} → ${inner}`;
};

function isCallArgument(fn: FunctionNode): boolean {
    const parent = fn.getParent();
    if (Node.isCallExpression(parent)) return true;
    return Node.isNewExpression(parent) && parent.getExpression().getText() === 'Promise';
}

function isAssignment(kind: SyntaxKind): boolean {
    return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}

function visitNew(node: NewExpression, found: Effect[]): void {
    if (node.getExpression().getText() === 'Date' && node.getArguments().length === 0) {
        found.push({ kind: 'volatile', node, what: 'new Date() is another one each time' });
    }
}

const notification = (name: string): Omit<Effect, 'node'> => ({
    kind: 'notification',
    what: `${name}(…) notifies the client`
});

function isLogging(callee: Node, name: string): boolean {
    const object = memberObject(callee);
    if (object === undefined) return /^(?:log|debug)$/.test(name);
    const receiver = memberName(unwrap(object)) ?? unwrap(object).getText();
    return LOGGER_NAME.test(receiver) && (LOGGING_METHOD.test(name) || receiver === 'console');
}

interface Home {
    kind: 'language' | 'node' | 'sdk' | 'package' | 'unknown';
    name: string;
}

function homeOf(callee: Node): Home {
    const nameNode = Node.isPropertyAccessExpression(callee) ? callee.getNameNode() : callee;
    const symbol = nameNode.getSymbol();
    const declaration = ((symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations() ?? [])[0];
    if (declaration === undefined) return { kind: 'unknown', name: '' };
    if (isSdkDeclaration(declaration)) return { kind: 'sdk', name: '' };
    const path = declaration.getSourceFile().getFilePath();
    if (/\/lib\.[\w.]+\.d\.ts$/.test(path)) return { kind: 'language', name: '' };
    const nodeModule = /\/@types\/node\/(?:.*\/)?([\w-]+?)(?:\.promises)?\.d\.ts$/.exec(path);
    if (nodeModule !== null) return { kind: 'node', name: path.includes('/fs/') ? 'fs' : (nodeModule[1] ?? '') };
    const inPackage = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(path);
    if (inPackage !== null) return { kind: 'package', name: inPackage[1] ?? '' };
    return { kind: 'unknown', name: '' };
}

function nodeCall(module: string, name: string, text: string): Omit<Effect, 'node'> | undefined {
    if (PURE_MODULES.has(module)) {
        return /\.(?:write|exit|kill|chdir)$/.test(text) ? { kind: 'effect', what: `${text}(…) acts` } : undefined;
    }
    if (module === 'fs') {
        return READING_FS.test(name)
            ? { kind: 'read', what: `${name}(…) reads files` }
            : { kind: 'effect', what: `${name}(…) writes files` };
    }
    if (module === 'crypto') return undefined;
    if (module === 'timers') return { kind: 'timer', what: `${name}(…) starts a timer` };
    return { kind: 'effect', what: `${text}(…) of node:${module} acts` };
}

/** All that is known is the name: awaited and not called like a look, or called like a change. */
function namedCall(
    call: CallExpression,
    name: string,
    text: string,
    changed: string | undefined
): Omit<Effect, 'node'> | undefined {
    if (NOTIFYING_METHOD.test(name)) return notification(name);
    if (WRITING_NAME.test(name) && (changed !== undefined || !MUTATING_METHODS.has(name))) {
        return { kind: 'effect', what: `${text}(…) changes something, by its name` };
    }
    if (!isAwaited(call)) return undefined;
    return READING_NAME.test(name)
        ? { kind: 'read', what: `${text}(…) reads something outside` }
        : { kind: 'effect', what: `${text}(…) is awaited and not known to be harmless` };
}

function isAwaited(call: Node): boolean {
    let node: Node = call;
    for (let parent = node.getParent(); parent !== undefined; parent = parent.getParent()) {
        if (Node.isAwaitExpression(parent)) return true;
        const chained =
            Node.isPropertyAccessExpression(parent) && ['then', 'catch', 'finally'].includes(parent.getName());
        if (chained) return true;
        if (
            !Node.isParenthesizedExpression(parent) &&
            !Node.isNonNullExpression(parent) &&
            !Node.isAsExpression(parent)
        ) {
            // Promise.all([call()]) waits for it too.
            if (Node.isArrayLiteralExpression(parent) || Node.isReturnStatement(parent)) {
                node = parent;
                continue;
            }
            return Node.isCallExpression(parent) && parent.getExpression().getText().startsWith('Promise.');
        }
        node = parent;
    }
    return false;
}
