import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression } from 'ts-morph';
import { frameOf, frameOfFunction } from './frames.js';
import { makerOf } from './functionValues.js';
import type { Registration } from './handlers.js';
import { referencesTo } from './references.js';
import { contains, isFunctionNode, memberName, outermost, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';
import {} from './references.js';

/** A function on the way from a handler to an ask. */
export interface Reached {
    id: string;
    fn: FunctionNode;
    name: string;
    /** The SDK calls it for each of these. */
    registrations: readonly Registration[];
    /** Its calls in the project, each with the function whose context it can hand on. */
    calls: { call: CallExpression; caller: Reached }[];
    /** Why no context can be handed to it; empty when it can. */
    problems: string[];
    /** Calls of it in tests, which have no request to take a context from. */
    testCalls: CallExpression[];
    /** Calls of it where no context can be had; each is one of `problems`, too. */
    strays: CallExpression[];
    /** Some of what calls it is not known; a call outside of any request is. */
    openEnded: boolean;
}

/** What the walk has to know about the project. */
export interface ReachInput {
    registrations: readonly Registration[];
    isTest(file: string): boolean;
    /** A readable place for messages: `src/a.ts:12`. */
    place(node: Node): string;
}

/**
 * The call graph upwards: from a node to the functions that must hand it a request context, as far as the handlers.
 * References come from the language service, so re-exports, renames and methods are followed; whatever is not a call
 * (the function passed on as a value, an interface in between) is a problem, in words for the report.
 */
export class Reach {
    readonly functions = new Map<FunctionNode, Reached>();
    private readonly handlers = new Map<FunctionNode, Registration[]>();

    constructor(private readonly input: ReachInput) {
        for (const registration of input.registrations) {
            const { fn } = registration;
            if (fn !== undefined) this.handlers.set(fn, [...(this.handlers.get(fn) ?? []), registration]);
        }
    }

    isHandler = (fn: FunctionNode): boolean => this.handlers.has(fn);

    /** The function that can hand a context to `node`, or why there is none. */
    provider(node: Node): Reached | string {
        const frame = frameOf(node, this.isHandler);
        switch (frame.kind) {
            case 'module':
                return 'it runs while the module is loaded, outside any request';
            case 'detached':
                return `it runs outside a request (${frame.how}, ${this.input.place(frame.fn)})`;
            case 'value':
                return `it stands in a function that is ${frame.how} (${this.input.place(frame.fn)}), so what calls it is not known`;
            case 'named':
            case 'callback':
                return this.reached(frame.fn);
        }
    }

    /** Whether code runs while modules load, or later without a request: nothing that a client waits for. */
    isDetached(node: Node): boolean {
        const { kind } = frameOf(node, this.isHandler);
        return kind === 'module' || kind === 'detached';
    }

    /** All handlers that lead to a function, itself included. */
    handlersOf(start: Reached): Reached[] {
        const seen = new Set<Reached>();
        const open = [start];
        for (let next = open.pop(); next !== undefined; next = open.pop()) {
            if (seen.has(next)) continue;
            seen.add(next);
            open.push(...next.calls.map(({ caller }) => caller));
        }
        return [...seen].filter(one => one.registrations.length > 0);
    }

    /** Whether all that calls a function, and what calls that, is known as far as the handlers. */
    isClosed(start: Reached, seen = new Set<Reached>()): boolean {
        if (seen.has(start)) return true;
        seen.add(start);
        return !start.openEnded && start.calls.every(({ caller }) => this.isClosed(caller, seen));
    }

    /** All problems on the ways from handlers to a function. */
    problemsOf(start: Reached, seen = new Set<Reached>()): string[] {
        if (seen.has(start)) return [];
        seen.add(start);
        return [...start.problems, ...start.calls.flatMap(({ caller }) => this.problemsOf(caller, seen))];
    }

    private reached(fn: FunctionNode): Reached {
        const known = this.functions.get(fn);
        if (known !== undefined) return known;
        const registrations = this.handlers.get(fn) ?? [];
        const frame = frameOfFunction(fn);
        const name = frame?.kind === 'named' ? frame.name.getText() : (registrations[0]?.label ?? 'a callback');
        const reached: Reached = {
            id: `f${this.functions.size + 1}`,
            fn,
            name,
            registrations,
            calls: [],
            problems: [],
            testCalls: [],
            strays: [],
            openEnded: false
        };
        this.functions.set(fn, reached);
        if (frame?.kind === 'named') {
            const typed = typeAnnotationOf(fn);
            if (typed !== undefined && registrations.length === 0) {
                reached.problems.push(`the type of ${name} is given by an annotation (${this.input.place(typed)})`);
                reached.openEnded = true;
            }
            for (const reference of namedBy(frame.name)) this.follow(reference, frame.name, reached);
        }
        const maker = makerOf(fn);
        const otherUses = maker === undefined || registrations.length === 0 ? [] : this.otherUsesOf(maker);
        reached.problems.push(...otherUses);
        reached.openEnded ||= otherUses.length > 0;
        return reached;
    }

    /** A function that makes handlers must make nothing else, because what it makes takes a context from now on. */
    private otherUsesOf(maker: FunctionNode): string[] {
        const frame = frameOfFunction(maker);
        if (frame?.kind !== 'named') return [];
        return namedBy(frame.name).flatMap(reference => {
            if (reference === frame.name || isBinding(reference)) return [];
            const call = memberExpression(reference).getParent();
            const registered = this.input.registrations.some(one => unwrap(one.callback) === call);
            return registered
                ? []
                : [`what ${frame.name.getText()} returns is not only a handler (${this.input.place(reference)})`];
        });
    }

    private follow(reference: Node, name: Node, reached: Reached): void {
        if (reference === name || isBinding(reference)) return;
        const expression = memberExpression(reference);
        const parent = outermost(expression).getParent();
        if (Node.isCallExpression(parent) && unwrap(parent.getExpression()) === expression) {
            if (this.input.isTest(reference.getSourceFile().getFilePath())) {
                reached.testCalls.push(parent);
                return;
            }
            const caller = this.provider(parent);
            if (typeof caller === 'string') {
                reached.strays.push(parent);
                reached.openEnded ||= !this.isDetached(parent);
                reached.problems.push(`${reached.name} is also called at ${this.input.place(parent)}, where ${caller}`);
            } else reached.calls.push({ call: parent, caller });
            return;
        }
        if (
            this.input.registrations.some(
                one => one.callback === outermost(expression) || unwrap(one.callback) === expression
            )
        ) {
            return;
        }
        if (isFunctionBind(expression) && this.input.registrations.some(one => contains(one.callback, expression)))
            return;
        const inTest = this.input.isTest(reference.getSourceFile().getFilePath());
        if (inTest && isMocked(expression)) return;
        if (!inTest) reached.openEnded = true;
        const what =
            Node.isMethodSignature(parent) ||
            reference.getFirstAncestorByKind(SyntaxKind.InterfaceDeclaration) !== undefined;
        // What the code does says more than what its tests do.
        const place = inTest ? reached.problems.length : 0;
        reached.problems.splice(
            place,
            0,
            what
                ? `${reached.name} is called through an interface (${this.input.place(reference)})`
                : `${reached.name} is passed on as a value at ${this.input.place(reference)}`
        );
    }
}

function namedBy(name: Node): Node[] {
    if (!Node.isIdentifier(name) && !Node.isPrivateIdentifier(name)) return [];
    return referencesTo(name);
}

/** `a.f` for the `f` in it, else the identifier. */
function memberExpression(reference: Node): Node {
    const parent = reference.getParent();
    return Node.isPropertyAccessExpression(parent) && parent.getNameNode() === reference ? parent : reference;
}

/** Imports, exports and declarations only name the function. */
function isBinding(reference: Node): boolean {
    const parent = reference.getParent();
    if (
        Node.isImportSpecifier(parent) ||
        Node.isExportSpecifier(parent) ||
        Node.isImportClause(parent) ||
        Node.isExportAssignment(parent) ||
        Node.isTypeQuery(parent)
    ) {
        return true;
    }
    if (Node.isBindingElement(parent)) return Node.isVariableDeclaration(parent.getParent().getParent());
    if (isFunctionNode(parent) && 'getNameNode' in parent && parent.getNameNode() === reference) return true;
    return isCommonJsExport(reference);
}

/** `module.exports = { f }`, `module.exports = f`, `exports.f = f`, and the left side of `exports.f = function`. */
function isCommonJsExport(reference: Node): boolean {
    const assignment = reference.getFirstAncestorByKind(SyntaxKind.BinaryExpression);
    if (assignment === undefined || assignment.getOperatorToken().getKind() !== SyntaxKind.EqualsToken) return false;
    const left = assignment.getLeft().getText();
    if (!/^(?:module\.exports|exports)\b/.test(left)) return false;
    const parent = reference.getParent();
    return (
        contains(assignment.getLeft(), reference) ||
        assignment.getRight() === reference ||
        Node.isShorthandPropertyAssignment(parent) ||
        (Node.isPropertyAssignment(parent) && parent.getInitializer() === reference)
    );
}

/** `vi.mocked(ask)`, `jest.mocked(ask)`: says a type, and calls nothing. */
function isMocked(expression: Node): boolean {
    const call = outermost(expression).getParent();
    return Node.isCallExpression(call) && memberName(unwrap(call.getExpression())) === 'mocked';
}

function isFunctionBind(expression: Node): boolean {
    const parent = expression.getParent();
    return parent !== undefined && memberName(parent) === 'bind';
}

/** The annotation of `const f: SomeType = …`: a parameter more would not fit it. */
function typeAnnotationOf(fn: FunctionNode): Node | undefined {
    const parent = outermost(fn).getParent();
    if (Node.isVariableDeclaration(parent) || Node.isPropertyDeclaration(parent)) return parent.getTypeNode();
    return undefined;
}
