import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression, NewExpression } from 'ts-morph';
import { MUTATING_METHODS, REMOTE_WRITE } from '../facts/effects.js';
import { frameOfFunction } from './frames.js';
import { calledFunction } from './functionValues.js';
import { isAwaited, isDropped, isLogging, outsideCall, shortText, stateChange } from './outsideCalls.js';
import { calleeName, chainRoot, enclosingFunction, isFunctionNode, memberObject, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';

/** What running a piece of code again would do. */
export interface Effect {
    kind: 'effect' | 'read' | 'volatile' | 'timer' | 'notification';
    node: Node;
    /** A verb phrase for messages: `appendFileSync(…) writes`. */
    what: string;
    /** The declaration of the state that it changes, where that is a variable or a member of the project. */
    state?: Node;
    /** Means nothing outside this process. */
    bound?: boolean;
    /** Where it happens, when `node` is the call of a function of the project in which it does. */
    origin?: Node;
}

/** What `EffectScan` has to know about the project around it. */
export interface EffectContext {
    /** Push calls (and calls of functions that only lead to them) are no effects of their own. */
    isAsk(call: Node): boolean;
    /** Functions that lead to an ask have a context of their own: what they do is handled where they do it. */
    leadsToAsk(fn: FunctionNode): boolean;
    /** Registered with the SDK: each of its runs is a call of its own. */
    isHandler(fn: FunctionNode): boolean;
    /** The functions given for a parameter at all calls, or undefined when one cannot be known. */
    functionsGivenFor(parameter: Node): FunctionNode[] | undefined;
    /** Calls of `ctx.once`, where what they run is done once per call already. */
    runsOnce?(call: Node): boolean;
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
        if (this.context.runsOnce?.(node) === true) return;
        if (Node.isCallExpression(node) && isLogging(unwrap(node.getExpression()), calleeName(node) ?? '')) {
            // What is logged may differ from one round to the next.
            const logged: Effect[] = [];
            this.visitChildren(node, logged);
            found.push(...logged.filter(({ kind }) => kind !== 'volatile'));
            return;
        }
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
            const inner = this.ofBody(own);
            if (this.context.leadsToAsk(own)) found.push(...inner);
            else found.push(...inner.map(effect => throughCall(call, effect)));
            return;
        }
        const given = this.parameterCall(call);
        if (given !== undefined) {
            found.push(...given);
            return;
        }
        const object = memberObject(unwrap(call.getExpression()));
        const changed =
            object !== undefined && MUTATING_METHODS.has(calleeName(call) ?? '') ? this.sharedRoot(object) : undefined;
        const passing = object !== undefined && isMadeHere(object) && this.sharedRoot(object) === undefined;
        const deed = passing && isDropped(call) ? undefined : outsideCall(call, changed);
        if (deed !== undefined && !isLazy(call, deed)) found.push({ ...deed, node: call });
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
        const fn = declaration.getParent();
        const callback = isFunctionNode(fn) && isCallArgument(fn);
        if (!isAwaited(call) && (callback || !isDropped(call))) return [];
        return [{ kind: 'effect', node: call, what: `${shortText(callee)}(…) runs code that is not known` }];
    }

    /** Changing something that outlives the call is an effect; changing a local variable is not. */
    private pushIfShared(target: Node, node: Node, found: Effect[]): void {
        const shared = this.sharedRoot(target);
        if (shared === undefined || isLazy(node)) return;
        found.push({ ...stateChange(`${shared.name} is changed, which outlives the call`, shared.state), node });
    }

    /** The state behind an expression when it is not local to the call it stands in. */
    sharedRoot(expression: Node): { name: string; state?: Node } | undefined {
        const root = chainRoot(expression);
        if (Node.isThisExpression(root)) {
            const state = memberAbove(root)?.getSymbol()?.getDeclarations()[0];
            return { name: shortText(expression), ...(state === undefined ? {} : { state }) };
        }
        if (!Node.isIdentifier(root)) return undefined;
        const declaration = root.getSymbol()?.getDeclarations()[0];
        const shared = { name: root.getText(), ...(declaration === undefined ? {} : { state: declaration }) };
        const home = declaration === undefined ? undefined : enclosingFunction(declaration);
        if (home === undefined) return shared;
        // Declared in a function around this one: local only while that function is part of the same call.
        for (
            let scope = enclosingFunction(expression);
            scope !== undefined && scope !== home;
            scope = enclosingFunction(scope)
        ) {
            if (this.context.isHandler(scope) || frameOfFunction(scope) !== undefined) return shared;
        }
        return undefined;
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

function throughCall(call: CallExpression, effect: Effect): Effect {
    const inner = effect.what.replace(/^.* → /, '');
    const what = `${calleeName(call) ?? 'a function'}(…) → ${inner}`;
    return { ...effect, node: call, what, origin: effect.origin ?? effect.node };
}

/** Whether an object is made in the same run, so that the next round has one of its own: `const page = new Page()`. */
function isMadeHere(object: Node): boolean {
    const root = chainRoot(object);
    const declaration = Node.isIdentifier(root) ? root.getSymbol()?.getDeclarations()[0] : undefined;
    if (!Node.isVariableDeclaration(declaration) || enclosingFunction(declaration) === undefined) return false;
    const value = declaration.getInitializer();
    const made = value === undefined ? undefined : unwrap(value);
    return Node.isNewExpression(made) || Node.isArrayLiteralExpression(made) || Node.isObjectLiteralExpression(made);
}

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

/** The member access of `this` itself: `this.calls` in `this.calls.push`. */
function memberAbove(root: Node): Node | undefined {
    const parent = root.getParent();
    return Node.isPropertyAccessExpression(parent) ? parent.getNameNode() : undefined;
}

/**
 * What fills a variable that is empty (`client ??= connect()`, `if (!client) client = …`, `if (client) return client; …`) is
 * done once per process anyway. Writes that others see stay effects.
 */
function isLazy(node: Node, deed?: { kind: Effect['kind']; what: string }): boolean {
    if (deed !== undefined && (deed.kind === 'timer' || REMOTE_WRITE.test(deed.what.replace(/^.*\./, ''))))
        return false;
    let child: Node = node;
    for (let at: Node | undefined = node; at !== undefined && !isFunctionNode(at); at = at.getParent()) {
        if (Node.isBinaryExpression(at) && /^(?:\?\?|\|\|)=$/.test(at.getOperatorToken().getText())) return true;
        if (Node.isIfStatement(at) && at.getThenStatement() === child && fills(child, at.getExpression())) return true;
        child = at;
    }
    return false;
}

/** Whether a statement assigns what its condition found empty. */
function fills(statement: Node, condition: Node): boolean {
    const text = condition.getText().replace(/\s+/g, '');
    const empty = /^!([\w.#]+)$/.exec(text) ?? /^([\w.#]+)===?(?:undefined|null)$/.exec(text);
    const name = empty?.[1];
    if (name === undefined) return false;
    return statement
        .getDescendantsOfKind(SyntaxKind.BinaryExpression)
        .some(
            one =>
                one.getOperatorToken().getText() === '=' &&
                one.getLeft().getText() === name &&
                one.getRight().getText() !== 'true'
        );
}
