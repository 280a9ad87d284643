import { Node, SyntaxKind, VariableDeclarationKind } from 'ts-morph';
import type { OnceFact } from '../facts/facts.js';
import { spanOf } from './contextParameters.js';
import type { Effect } from './effects.js';
import { frameOf, frameOfFunction } from './frames.js';
import { calledFunction, functionBehind } from './functionValues.js';
import { awaitedType, isPromise, notJson } from './jsonType.js';
import { assignedBy, changedLater, changedLocal, isAssigning } from './localChanges.js';
import { shortText } from './outsideCalls.js';
import type { Reach, Reached } from './reach.js';
import { secretIn } from './secrets.js';
import { calleeName, chainRoot, contains, enclosingFunction, isFunctionNode, outermost, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';
import { referencesTo } from './references.js';

/**
 * Finds the piece of code around an effect that can run once per call. The smallest expression is taken whose value
 * survives JSON and which changes nothing that the next round makes anew; where nothing uses the value, the statement.
 */
export class OnceUnits {
    private readonly found = new Map<Node, OnceFact | string>();
    private readonly asking = new Map<FunctionNode, boolean>();

    constructor(
        private readonly reach: Reach,
        private readonly isAsk: (call: Node) => boolean
    ) {}

    /** The piece, or why there is none. */
    around({ node, bound }: Effect): OnceFact | string {
        if (bound === true) return 'its value means nothing in another process';
        const found = this.found.get(node) ?? this.search(node);
        this.found.set(node, found);
        return found;
    }

    private search(node: Node): OnceFact | string {
        const frame = frameOf(node, this.reach.isHandler);
        if (frame.kind === 'module') return 'it stands outside of any function';
        const reached = this.reach.functions.get(frame.fn);
        if (reached === undefined) return 'it has no context of a request';
        if (isBareDate(node)) return factOf(node, reached, 'date');
        let reason: string | undefined;
        for (let at: Node | undefined = node; at !== undefined; at = nextOut(at, frame.fn)) {
            const found = this.judge(at, frame.fn, reached);
            if (typeof found !== 'string') return found;
            reason ??= found;
        }
        return reason ?? 'it is no expression';
    }

    private judge(at: Node, frame: FunctionNode, reached: Reached): OnceFact | string {
        const around = enclosingFunction(at);
        if (around !== frame && !runsInside(at, frame)) return 'it runs later';
        const problem = this.problemOf(at, frame, reached);
        if (problem !== undefined) return problem;
        if (Node.isExpressionStatement(at.getParent()) && at.getParent() === outermost(at).getParent()) {
            const simple = this.valueForm(at, reached);
            return typeof simple === 'string' ? factOf(at, reached, ownAwait(at) ? 'value' : 'sync', true) : simple;
        }
        return this.valueForm(at, reached);
    }

    private valueForm(at: Node, reached: Reached): OnceFact | string {
        if (Node.isAwaitExpression(at) || isAssigning(at)) return 'its value is awaited by itself';
        if (!Node.isExpression(at)) return 'it is no expression';
        const type = at.getType();
        const loss = notJson(awaitedType(type), at);
        if (loss !== undefined) return `the value cannot be kept between rounds: ${loss}`;
        const secret = secretIn(at, awaitedType(type));
        if (secret !== undefined) return `${secret} may be a secret, and what is kept travels through the client`;
        const changed = changedLater(at);
        if (changed !== undefined) return `${changed} is changed later, and would be a copy`;
        return factOf(at, reached, isPromise(type) ? 'promise' : ownAwait(at) ? 'value' : 'sync');
    }

    /** Why a piece cannot be moved into a function that runs in one round only. */
    private problemOf(at: Node, frame: FunctionNode, reached: Reached): string | undefined {
        if (this.mayAsk(at)) return 'it may ask a question itself';
        const parts = [at, ...at.getDescendants()];
        if (parts.some(one => one.getKind() === SyntaxKind.ImportKeyword && Node.isCallExpression(one.getParent())))
            return 'it loads a module';
        if (parts.some(one => Node.isYieldExpression(one))) return 'it stands in a generator';
        if (shadowsContext(at, frame)) return 'the context has another name there';
        for (const part of parts) {
            const local = changedLocal(part, at, frame);
            if (local !== undefined) return `it changes ${local}, which the next round makes anew`;
            if (isNarrowed(part, at)) return `the type of ${shortText(part)} is narrowed outside of it`;
        }
        if (errorClassRead(at, frame, reached, new Set())) return 'a catch looks at the class of its error';
        return undefined;
    }

    private mayAsk(node: Node): boolean {
        return [node, ...node.getDescendants()].some(one => {
            if (Node.isCallExpression(one)) {
                if (this.isAsk(one)) return true;
                const own = calledFunction(one);
                return own !== undefined && this.asks(own);
            }
            if (!Node.isIdentifier(one) || !Node.isCallExpression(one.getParent())) return false;
            const given = functionBehind(one);
            return given !== undefined && this.asks(given);
        });
    }

    private asks(fn: FunctionNode): boolean {
        const known = this.asking.get(fn);
        if (known !== undefined) return known;
        this.asking.set(fn, false);
        const body = fn.getBody();
        const asks = body !== undefined && this.mayAsk(body);
        this.asking.set(fn, asks);
        return asks;
    }
}

function factOf(at: Node, reached: Reached, form: OnceFact['form'], statement = false): OnceFact {
    const parent = at.getParent();
    const read =
        (Node.isPropertyAccessExpression(parent) ||
            Node.isElementAccessExpression(parent) ||
            Node.isCallExpression(parent)) &&
        parent.getExpression() === at;
    return {
        file: at.getSourceFile().getFilePath(),
        span: spanOf(at),
        context: reached.id,
        form,
        statement,
        awaits: ownAwait(at),
        parentheses: {
            inside: Node.isObjectLiteralExpression(at) || isAssigning(at),
            outside: form === 'value' && (read || Node.isNonNullExpression(parent))
        },
        name: nameOf(at)
    };
}

const isBareDate = (node: Node): boolean =>
    Node.isNewExpression(node) && node.getExpression().getText() === 'Date' && node.getText().endsWith('()');

/** The next larger expression that could be taken; through a callback to the call that it is given to. */
function nextOut(at: Node, frame: FunctionNode): Node | undefined {
    const parent = at.getParent();
    if (parent !== undefined && parent !== frame && isFunctionPart(parent, at)) {
        const fn: FunctionNode | undefined = isFunctionNode(parent) ? parent : enclosingFunction(parent);
        if (fn === undefined || fn === frame) return undefined;
        const call = outermost(fn).getParent();
        if (!Node.isCallExpression(call) && !Node.isNewExpression(call)) return undefined;
        return call;
    }
    if (parent === undefined || parent === frame || !Node.isExpression(parent)) {
        // Members of literals and the spans of templates belong to the expression around them.
        if (Node.isTemplateSpan(parent) || Node.isPropertyAssignment(parent) || Node.isSpreadAssignment(parent)) {
            const whole = parent.getParent();
            return Node.isExpression(whole) ? whole : undefined;
        }
        return undefined;
    }
    if (isAssigning(parent) && Node.isBinaryExpression(parent) && parent.getRight() === at) return parent;
    return parent;
}

/** A statement or the body of a function: no expression goes on beyond it. */
function isFunctionPart(parent: Node, child: Node): boolean {
    return (
        Node.isStatement(parent) ||
        Node.isVariableDeclaration(parent) ||
        (isFunctionNode(parent) && parent.getBody() === child)
    );
}

/** Whether a node in a callback runs while the call around the callback does. */
function runsInside(at: Node, frame: FunctionNode): boolean {
    for (let fn = enclosingFunction(at); fn !== undefined && fn !== frame; fn = enclosingFunction(fn)) {
        if (frameOfFunction(fn) !== undefined) return false;
    }
    return true;
}

/** An `await` of the expression's own, not of a function in it. */
function ownAwait(at: Node): boolean {
    const home = enclosingFunction(at);
    return [at, ...at.getDescendants()].some(one => Node.isAwaitExpression(one) && enclosingFunction(one) === home);
}

/** In a function of its own a variable or member has its declared type again, unless nothing assigns it any more. */
function isNarrowed(part: Node, unit: Node): boolean {
    if (!/\.[cm]?tsx?$/.test(part.getSourceFile().getFilePath())) return false;
    const symbolNode = Node.isPropertyAccessExpression(part) ? part.getNameNode() : part;
    if (!Node.isPropertyAccessExpression(part) && !Node.isIdentifier(part)) return false;
    const declaration = symbolNode.getSymbol()?.getDeclarations()[0];
    if (declaration === undefined || contains(unit, declaration)) return false;
    if (Node.isIdentifier(part)) {
        const parent = part.getParent();
        if (Node.isPropertyAccessExpression(parent) && parent.getNameNode() === part) return false;
        if (!Node.isVariableDeclaration(declaration) && !Node.isParameterDeclaration(declaration)) return false;
        if (
            Node.isVariableDeclaration(declaration) &&
            declaration.getVariableStatement()?.getDeclarationKind() === VariableDeclarationKind.Const
        )
            return false;
        const name = declaration.getNameNode();
        const assigned =
            Node.isIdentifier(name) && referencesTo(name).some(use => assignedBy(use.getParent() ?? use) === use);
        if (!assigned) return false;
    }
    const declared = symbolNode.getSymbol()?.getTypeAtLocation(part.getSourceFile());
    return (
        declared !== undefined &&
        declared.getText() !== part.getType().getText() &&
        !Node.isCallExpression(part.getParent())
    );
}

/** A callback between the piece and its frame that has a parameter called as contexts are. */
function shadowsContext(at: Node, frame: FunctionNode): boolean {
    for (let fn = enclosingFunction(at); fn !== undefined && fn !== frame; fn = enclosingFunction(fn)) {
        if (fn.getParameters().some(one => /^_?(?:ctx|extra|context)$/.test(one.getName()))) return true;
    }
    return false;
}

/** The failure of a once is an `Error` with the name, message and code of the original, and no other class. */
function errorClassRead(at: Node, frame: FunctionNode, reached: Reached, seen: Set<Reached>): boolean {
    let child: Node = at;
    for (const ancestor of at.getAncestors()) {
        if (
            Node.isTryStatement(ancestor) &&
            ancestor.getTryBlock() === child &&
            looksAtClass(ancestor.getCatchClause())
        )
            return true;
        if (ancestor === frame) break;
        child = ancestor;
    }
    if (seen.has(reached)) return false;
    seen.add(reached);
    return reached.calls.some(({ call, caller }) => errorClassRead(call, caller.fn, caller, seen));
}

function looksAtClass(clause: Node | undefined): boolean {
    return /\binstanceof\s+(?!Error\b)\w/.test(clause?.getText() ?? '');
}

function nameOf(at: Node): string {
    let holder = outermost(at).getParent();
    while (Node.isAwaitExpression(holder)) holder = outermost(holder).getParent();
    if (Node.isVariableDeclaration(holder) && Node.isIdentifier(holder.getNameNode())) return holder.getName();
    const inner = Node.isAwaitExpression(at) ? unwrap(at.getExpression()) : unwrap(at);
    if (Node.isCallExpression(inner)) return calleeName(inner) ?? 'step';
    if (Node.isNewExpression(inner)) return inner.getExpression().getText() === 'Date' ? 'now' : 'step';
    const target = assignedBy(inner);
    if (target !== undefined)
        return chainRoot(target)
            .getText()
            .replace(/^this$/, target.getText().replace(/^this\./, ''));
    const call = inner.getFirstDescendantByKind(SyntaxKind.CallExpression);
    return (call === undefined ? undefined : calleeName(call)) ?? 'step';
}
