import { Node, SyntaxKind } from 'ts-morph';
import { LOGGER_NAME } from '../../facts/effects.js';
import type { Reach, Reached } from '../reach.js';
import { calledFunction } from '../functionValues.js';
import { chainRoot, contains, isFunctionNode, outermost, unwrap } from '../syntax.js';
import type { FunctionNode } from '../syntax.js';
import { callTree, freeIdentifiers, leadsTo, scopeOf, statementsOf } from './callTree.js';
import { NotChangeable } from './change.js';
import type { LifecycleChange } from './change.js';
import { beginWith } from './handlerStart.js';
import type { Hook } from './hooks.js';
import { readersOf, writesField, writtenOutside } from './keptRoots.js';
import { LineEdits } from './lines.js';

export interface RootsInput {
    hooks: readonly Hook[];
    /** Asks for roots, by site id. */
    asks: ReadonlyMap<string, Node>;
    reach: Reach;
    /** Handlers whose answer may be `input_required`. */
    handlers: readonly Reached[];
    place: (node: Node) => string;
    group: string;
}

const RULE = 'roots-lifecycle';

/**
 * Roots that are fetched when the handshake is over, and again when they change, are fetched by the requests that read
 * them. The function that fetches them stays as it is; the handlers call it, and the hooks go.
 * @throws NotChangeable
 */
export function rootsLifecycle(input: RootsInput): LifecycleChange | undefined {
    const { hooks, asks, group } = input;
    const targets = new Set(asks.values());
    const leading = hooks.filter(({ fn }) => leadsTo(fn, targets));
    if (leading.length === 0) return undefined;
    const edits = new LineEdits(RULE, group);
    const refresh = refreshOf(leading, targets, edits);
    const dropped = [...asks].filter(([, node]) => refresh.removed.some(one => contains(one, node))).map(([id]) => id);

    const tree = new Set<Node>([refresh.fn, ...callTree(refresh.fn, 3)]);
    const field = writesField(tree);
    if (field !== undefined) throw new NotChangeable('the roots are kept in a field', field);
    const kept = [...writtenOutside(tree)];
    const asking = input.handlers.filter(({ fn }) => callTree(fn).has(refresh.fn));
    const reading = handlersThatRead(kept, tree, leading, input);
    if (asking.length + reading.length === 0) throw new NotChangeable('no handler reads the roots');
    if (leading.some(({ event }) => event === 'roots-changed')) askEveryTime(tree, kept, targets, edits);
    for (const handler of reading.filter(one => !asking.includes(one))) {
        assertInScope(refresh.scope, handler, input.place);
        beginWith(handler.fn, { lines: [refresh.call], awaits: true }, edits);
    }
    const sites = [...asks].filter(([id, node]) => !dropped.includes(id) && leadsTo(refresh.fn, new Set([node])));
    return {
        rule: RULE,
        edits: edits.edits,
        sites: sites.map(([id]) => id),
        dropped,
        note:
            `the roots are asked for in each call that reads them, since nothing tells a server on 2026-07-28 that they changed` +
            (kept.length === 0
                ? ''
                : `; ${kept.map(name => name.getText()).join(', ')} is shared by all calls of the process`)
    };
}

interface Refresh {
    fn: FunctionNode;
    /** The statement that calls it in a handler. */
    call: string;
    /** Nodes whose names the call uses. */
    scope: Node[];
    /** Code that goes. */
    removed: Node[];
}

/** Takes the hooks apart: what fetches the roots, and how a handler calls it. */
function refreshOf(hooks: readonly Hook[], targets: ReadonlySet<Node>, edits: LineEdits): Refresh {
    const initial = hooks.find(({ event }) => event === 'initialized') ?? hooks[0];
    if (initial === undefined) throw new NotChangeable('nothing fetches the roots');
    const removed: Node[] = [];
    for (const hook of hooks) {
        if (hook === initial) continue;
        assertOnlyRefreshes(hook, targets);
        edits.remove(hook.statement);
        removed.push(hook.statement);
    }
    if (!initial.inline) {
        edits.remove(initial.statement);
        const scope = declarationsIn(initial.statement, initial.statement);
        return { fn: initial.fn, call: `await ${calleeOf(initial)}();`, scope, removed };
    }
    const statements = statementsOf(initial.fn);
    const leading = statements.filter(statement => leadsTo(statement, targets));
    const own = leading.some(statement => [...targets].some(target => contains(statement, target)));
    if (own) return inlineRefresh(initial, edits, removed);
    const [only, ...more] = leading;
    if (only === undefined || more.length > 0) {
        throw new NotChangeable('the roots are fetched in several steps', initial.statement);
    }
    const rest = statements.filter(statement => statement !== only);
    const { fn, text } = callIn(only, rest);
    removed.push(only);
    const keeps = rest.some(statement => !isDeclaration(statement) && !isLogging(statement));
    edits.remove(keeps ? only : initial.statement);
    return { fn, call: text, scope: declarationsIn(only, initial.statement), removed };
}

/** `X.oninitialized = async () => { … }` becomes `async function refreshRoots() { … }`. */
function inlineRefresh(hook: Hook, edits: LineEdits, removed: Node[]): Refresh {
    const { fn, statement } = hook;
    const body = fn.getBody();
    const file = fn.getSourceFile();
    if (fn.getParameters().length > 0) throw new NotChangeable('the hook takes parameters', statement);
    if (!Node.isBlock(body) || !Node.isBinaryExpression(fn.getParent())) {
        throw new NotChangeable('the roots are fetched in the hook itself', statement);
    }
    if (body.getDescendantsOfKind(SyntaxKind.ThisKeyword).length > 0) {
        throw new NotChangeable('the hook uses `this`', statement);
    }
    const used = new Set(file.getDescendantsOfKind(SyntaxKind.Identifier).map(node => node.getText()));
    const name = ['refreshRoots', 'refreshClientRoots', 'refreshRootsOfClient'].find(one => !used.has(one));
    if (name === undefined) throw new NotChangeable('no name is free for the function', statement);
    edits.replace(file, statement.getStart(), body.getStart(), `async function ${name}() `);
    edits.replace(file, body.getEnd(), statement.getEnd(), '');
    return { fn, call: `await ${name}();`, scope: [statement], removed };
}

/** What a piece of a hook names outside of the hook, without what every file knows. */
function declarationsIn(code: Node, hook: Node): Node[] {
    return freeIdentifiers(code)
        .flatMap(use => use.getSymbol()?.getDeclarations() ?? [])
        .filter(one => !contains(hook, one) && !one.getSourceFile().isDeclarationFile());
}

function calleeOf({ statement, event }: Hook): string {
    const expression = Node.isExpressionStatement(statement) ? statement.getExpression() : statement;
    if (event === 'initialized' && Node.isBinaryExpression(expression)) return expression.getRight().getText();
    const call = Node.isCallExpression(expression) ? expression.getArguments()[1] : undefined;
    return call?.getText() ?? '';
}

/** The one call in a statement that fetches the roots, as a statement of a handler. */
function callIn(statement: Node, others: readonly Node[]): { fn: FunctionNode; text: string } {
    if (Node.isIfStatement(statement)) {
        if (statement.getElseStatement() !== undefined) {
            throw new NotChangeable('the roots are fetched in one of two branches', statement);
        }
        const then = statement.getThenStatement();
        const inner = Node.isBlock(then) ? then.getStatements().filter(one => !isLogging(one)) : [then];
        const [only, ...more] = inner;
        if (only === undefined || more.length > 0) throw new NotChangeable('the hook does more than one thing', then);
        const { fn, text } = callIn(only, others);
        return { fn, text: `if (${inlined(statement.getExpression(), others)}) ${text}` };
    }
    const call = statement
        .getDescendantsOfKind(SyntaxKind.CallExpression)
        .concat(Node.isCallExpression(statement) ? [statement] : [])
        .find(one => {
            const fn = calledFunction(one);
            return fn !== undefined && !contains(statement, fn);
        });
    const fn = call === undefined ? undefined : calledFunction(call);
    if (call === undefined || fn === undefined)
        throw new NotChangeable('what fetches the roots is not known', statement);
    if (goesOnWith(call)) throw new NotChangeable('the hook goes on with what it fetched', statement);
    return { fn, text: `await ${inlined(call, others)};` };
}

/** Whether something is done with the result of a call: `f().then(roots => …)`, `x = await f()`. */
function goesOnWith(call: Node): boolean {
    let at = outermost(call);
    for (let parent = at.getParent(); parent !== undefined; parent = at.getParent()) {
        const catches = Node.isPropertyAccessExpression(parent) && parent.getName() === 'catch';
        const passes = Node.isAwaitExpression(parent) || Node.isVoidExpression(parent);
        if (Node.isStatement(parent) || isFunctionNode(parent)) return false;
        if (!catches && !passes && !(Node.isCallExpression(parent) && parent.getExpression() === at)) return true;
        at = outermost(parent);
    }
    return false;
}

/** An expression with the constants of the hook written out, since it moves out of the hook. */
function inlined(expression: Node, others: readonly Node[]): string {
    let text = expression.getText();
    const start = expression.getStart();
    for (const use of freeIdentifiers(expression).reverse()) {
        const declaration = use.getSymbol()?.getDeclarations()[0];
        if (declaration === undefined || !others.some(one => contains(one, declaration))) continue;
        const initializer = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
        if (initializer === undefined) throw new NotChangeable('a value of the hook is needed to fetch the roots', use);
        const written = inlined(initializer, others);
        const simple = /^[\w.?()[\]'"]+$/.test(written);
        const at = use.getStart() - start;
        text = text.slice(0, at) + (simple ? written : `(${written})`) + text.slice(at + use.getText().length);
    }
    return text;
}

function assertOnlyRefreshes(hook: Hook, targets: ReadonlySet<Node>): void {
    if (!hook.inline) return;
    for (const statement of statementsOf(hook.fn)) {
        if (leadsTo(statement, targets) || isLogging(statement) || isDeclaration(statement)) continue;
        throw new NotChangeable('the handler of roots/list_changed does more than fetch the roots', statement);
    }
}

const isDeclaration = (node: Node): boolean => Node.isVariableStatement(node);

function isLogging(node: Node): boolean {
    if (!Node.isExpressionStatement(node)) return false;
    const expression = unwrap(node.getExpression());
    const call = Node.isAwaitExpression(expression) ? unwrap(expression.getExpression()) : expression;
    return Node.isCallExpression(call) && LOGGER_NAME.test(chainRoot(call.getExpression()).getText());
}

/**
 * The handlers that may read what is kept. Where a reader may run in a handler that is not known, all of them: one that
 * read old roots would let a call reach what the user has closed.
 */
function handlersThatRead(
    kept: readonly Node[],
    tree: ReadonlySet<Node>,
    hooks: readonly Hook[],
    { reach, handlers }: RootsInput
): Reached[] {
    const ignored = new Set<Node>([...tree, ...hooks.map(({ statement }) => statement)]);
    const found = new Set<Reached>();
    for (const name of kept) {
        for (const reader of readersOf(name, ignored)) {
            if (reach.isDetached(reader)) continue;
            const provider = reach.provider(reader);
            if (typeof provider === 'string' || reach.problemsOf(provider).length > 0) return [...new Set(handlers)];
            for (const handler of reach.handlersOf(provider)) found.add(handler);
        }
    }
    return [...found];
}

/** Roots that were fetched once, and again when they changed, are fetched each time now that nothing tells of a change. */
function askEveryTime(
    tree: ReadonlySet<Node>,
    kept: readonly Node[],
    targets: ReadonlySet<Node>,
    edits: LineEdits
): void {
    const readsKept = (node: Node): boolean =>
        freeIdentifiers(node).some(use =>
            (use.getSymbol()?.getDeclarations() ?? []).some(one => kept.some(name => name.getParent() === one))
        );
    const ifs = [...tree].flatMap(fn => fn.getDescendantsOfKind(SyntaxKind.IfStatement));
    for (const statement of new Set(ifs)) {
        if (!readsKept(statement.getExpression())) continue;
        const then = statement.getThenStatement();
        const otherwise = statement.getElseStatement();
        if (leadsTo(then, targets) && otherwise === undefined) edits.unwrapBlock(statement, then);
        else if (leadsTo(then, targets) || (otherwise !== undefined && leadsTo(otherwise, targets))) {
            throw new NotChangeable('whether the roots are fetched depends on what was fetched before', statement);
        } else if (isReturn(then) && otherwise === undefined && asksBelow(statement, targets)) edits.remove(statement);
    }
}

function isReturn(node: Node): boolean {
    const only = Node.isBlock(node) && node.getStatements().length === 1 ? node.getStatements()[0] : node;
    return Node.isReturnStatement(only);
}

function asksBelow(statement: Node, targets: ReadonlySet<Node>): boolean {
    return statement.getNextSiblings().some(sibling => leadsTo(sibling, targets));
}

/** Everything that the inserted call names must be known where the handler stands. */
function assertInScope(scope: readonly Node[], { fn, name }: Reached, place: (node: Node) => string): void {
    for (const node of scope) {
        const where = scopeOf(node);
        if (!contains(where, fn)) {
            throw new NotChangeable(
                `the handler of ${name} (${place(fn)}) cannot name what fetches the roots (${place(node)})`,
                fn
            );
        }
    }
}
