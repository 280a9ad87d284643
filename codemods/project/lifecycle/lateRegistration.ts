import { Node, SyntaxKind } from 'ts-morph';
import type { VariableDeclaration } from 'ts-morph';
import { CAPABILITIES_GETTER } from '../../facts/surface.js';
import type { Registration } from '../handlers.js';
import { isSdkDeclaration } from '../ownership.js';
import { calleeName, contains, memberObject, unwrap } from '../syntax.js';
import type { FunctionNode } from '../syntax.js';
import { callTree, freeIdentifiers, leadsTo, scopeOf, statementsOf } from './callTree.js';
import { NotChangeable } from './change.js';
import type { LifecycleChange } from './change.js';
import { beginWith, semicolonOf } from './handlerStart.js';
import type { Hook } from './hooks.js';
import { LineEdits, indentOf, indentUnit, lineStart, reindented, statementLines } from './lines.js';
import { onlyInTasks } from './tasks.js';
import { referencesTo, usesOf } from '../references.js';

const RULE = 'late-registration';

export interface LateInput {
    hook: Hook;
    registrations: readonly Registration[];
    /** Asks by site id. */
    asks: ReadonlyMap<string, Node>;
    group: string;
}

/**
 * What is registered when the handshake is over, because only then the client's capabilities are known, is registered at
 * once; each handler looks at the capabilities of its own request. 2026-07-28 has no handshake to wait for.
 * @throws NotChangeable
 */
export function lateRegistration({ hook, registrations, asks, group }: LateInput): LifecycleChange | undefined {
    const calls = new Set<Node>(registrations.map(({ call }) => call));
    const statements = statementsOf(hook.fn);
    const late = statements.filter(statement => leadsTo(statement, calls));
    if (!hook.inline || late.length === 0) return undefined;
    const handlers = new Set(registrations.flatMap(({ fn }) => fn ?? []));
    const functions = [...new Set(late.flatMap(statement => [...callTree(statement)]))].filter(
        fn => !handlers.has(fn) && ![...handlers].some(one => contains(one, fn)) && leadsTo(fn, calls)
    );
    const scopes = [hook.fn, ...functions];
    for (const fn of functions) assertCalledFrom(fn, scopes);
    const edits = new LineEdits(RULE, group);
    const constants = capabilityConstants(scopes);
    const guards = scopes.flatMap(fn => guardsIn(fn, calls, constants, handlers));
    const mine = registrations.filter(({ call }) => scopes.some(fn => contains(fn, call)));
    assertNoOtherUse(constants, guards, mine);

    for (const { statement, block } of guards) {
        if (block === undefined) edits.remove(statement);
        else edits.unwrapBlock(statement, block);
    }
    for (const { statement, keep } of constants.values()) if (!keep) edits.remove(statement);
    const others = statements.filter(one => !late.includes(one) && !edits.removes(one));
    for (const registration of mine) {
        const own = guardsAround(registration.call, guards, scopes);
        const goes = others.length === 0 && contains(hook.fn, registration.call) ? 1 : 0;
        beginHandler(registration, own, constants, edits, goes);
    }
    moveOut(hook, late, others, edits, mine, guards);
    const reached = [...asks].filter(([, node]) =>
        mine.some(({ fn }) => fn !== undefined && leadsTo(fn, new Set([node])))
    );
    return {
        rule: RULE,
        edits: edits.edits,
        sites: reached.map(([id]) => id),
        dropped: [],
        note: 'its handler is registered from the start, and looks at the capabilities of each request'
    };
}

interface Constant {
    declaration: VariableDeclaration;
    statement: Node;
    /** Something that stays where it is needs it too. */
    keep: boolean;
}

interface Guard {
    statement: Node;
    condition: Node;
    /** What the condition decides about; absent for `if (…) return;`. */
    block: Node | undefined;
}

function assertCalledFrom(fn: FunctionNode, scopes: readonly FunctionNode[]): void {
    const holder = Node.isFunctionDeclaration(fn) || Node.isMethodDeclaration(fn) ? fn : fn.getParent();
    const name =
        Node.isVariableDeclaration(holder) || Node.isFunctionDeclaration(holder) ? holder.getNameNode() : undefined;
    if (name === undefined || !Node.isIdentifier(name)) throw new NotChangeable('what registers has no name', fn);
    for (const use of referencesTo(name)) {
        const parent = use.getParent();
        if (use === name || Node.isImportSpecifier(parent) || Node.isExportSpecifier(parent)) continue;
        if (/\.(?:test|spec)\.|__tests__/.test(use.getSourceFile().getFilePath())) continue;
        if (!scopes.some(scope => contains(scope, use))) {
            throw new NotChangeable(`${name.getText()} is called elsewhere too`, use);
        }
    }
}

/** Constants whose value follows from the client's capabilities, by declaration. */
function capabilityConstants(scopes: readonly FunctionNode[]): Map<Node, Constant> {
    const found = new Map<Node, Constant>();
    for (const scope of scopes) {
        for (const statement of scope.getDescendantsOfKind(SyntaxKind.VariableStatement)) {
            const [declaration, ...more] = statement.getDeclarations();
            const initializer = declaration?.getInitializer();
            if (declaration === undefined || initializer === undefined) continue;
            if (!followsFromCapabilities(initializer, found)) continue;
            if (
                more.length > 0 ||
                !/^const\b/.test(statement.getText()) ||
                !Node.isIdentifier(declaration.getNameNode())
            ) {
                throw new NotChangeable('the capabilities are kept in more than a constant', statement);
            }
            found.set(declaration, { declaration, statement, keep: false });
        }
    }
    return found;
}

function followsFromCapabilities(code: Node, constants: ReadonlyMap<Node, Constant>): boolean {
    const reads = [code, ...code.getDescendants()].some(
        node => Node.isCallExpression(node) && calleeName(node) === CAPABILITIES_GETTER
    );
    return reads || constantsIn(code, constants).length > 0;
}

function constantsIn(code: Node, constants: ReadonlyMap<Node, Constant>): Constant[] {
    return freeIdentifiers(code).flatMap(use =>
        (use.getSymbol()?.getDeclarations() ?? []).flatMap(one => constants.get(one) ?? [])
    );
}

/** The statements of a function that decide by the capabilities whether something is registered. */
function guardsIn(
    scope: FunctionNode,
    calls: ReadonlySet<Node>,
    constants: ReadonlyMap<Node, Constant>,
    handlers: ReadonlySet<Node>
): Guard[] {
    return scope.getDescendantsOfKind(SyntaxKind.IfStatement).flatMap((statement): Guard[] => {
        if ([...handlers].some(fn => contains(fn, statement))) return [];
        const condition = statement.getExpression();
        if (!followsFromCapabilities(condition, constants)) return [];
        const then = statement.getThenStatement();
        if (statement.getElseStatement() !== undefined) {
            throw new NotChangeable('something else is registered where the client lacks the capability', statement);
        }
        if (leadsTo(then, calls)) return [{ statement, condition, block: then }];
        const only = Node.isBlock(then) ? then.getStatements() : [then];
        const leaves = only.length > 0 && Node.isReturnStatement(only.at(-1));
        if (!leaves || statement.getParent() !== scope.getBody()) return [];
        return [{ statement, condition, block: undefined }];
    });
}

function assertNoOtherUse(
    constants: ReadonlyMap<Node, Constant>,
    guards: readonly Guard[],
    registrations: readonly Registration[]
): void {
    for (const constant of constants.values()) {
        const name = constant.declaration.getNameNode();
        const uses = Node.isIdentifier(name) ? usesOf(name) : [];
        for (const use of uses) {
            if ([...constants.values()].some(({ statement }) => contains(statement, use))) continue;
            if (guards.some(({ condition }) => contains(condition, use))) continue;
            if (registrations.some(({ fn }) => fn !== undefined && contains(fn, use))) continue;
            if (!onlyInTasks(use)) throw new NotChangeable('the capabilities decide about more than handlers', use);
            constant.keep = true;
        }
    }
    // A constant that stays needs those that it is made of.
    for (const { keep, declaration } of [...constants.values()].reverse()) {
        const initializer = declaration.getInitializer();
        if (keep && initializer !== undefined) for (const one of constantsIn(initializer, constants)) one.keep = true;
    }
}

/** The guards that decide about a call: around it, in front of it, and around the calls of its function. */
function guardsAround(call: Node, guards: readonly Guard[], scopes: readonly FunctionNode[]): Guard[] {
    const own = guards.filter(({ statement, block }) =>
        block === undefined
            ? statement.getEnd() <= call.getStart() && contains(statement.getParentOrThrow(), call)
            : contains(block, call)
    );
    const scope = scopes.filter(fn => contains(fn, call)).at(-1);
    const callers = scopes.flatMap(fn =>
        fn
            .getDescendantsOfKind(SyntaxKind.CallExpression)
            .filter(one => scope !== undefined && callTree(one, 1).has(scope))
    );
    return [...own, ...callers.filter(one => one !== call).flatMap(one => guardsAround(one, guards, scopes))];
}

function beginHandler(
    { call, callback, fn, label }: Registration,
    guards: readonly Guard[],
    constants: ReadonlyMap<Node, Constant>,
    edits: LineEdits,
    outer: number
): void {
    const needed = new Set<Constant>();
    const need = (code: Node): void => {
        for (const constant of constantsIn(code, constants)) {
            const initializer = constant.declaration.getInitializer();
            if (initializer !== undefined) need(initializer);
            needed.add(constant);
        }
    };
    for (const { condition } of guards) need(condition);
    if (fn !== undefined) need(fn);
    if (guards.length === 0 && needed.size === 0) return;
    if (fn === undefined || unwrap(callback) !== fn) {
        throw new NotChangeable(`the handler of ${label} stands elsewhere`, callback);
    }
    const end = semicolonOf(call.getSourceFile().getFullText());
    const lines = [...needed].flatMap(({ statement }) => linesOf(statement, fn, call));
    for (const { condition, block } of guards) {
        const text = inHandler(condition, fn, call);
        const test = block === undefined ? text : /^[\w.]+$/.test(text) ? `!${text}` : `!(${text})`;
        lines.push(`if (${test}) throw new Error(${refusal(call, condition, constants)})${end}`);
    }
    const levels = guards.filter(({ block }) => Node.isBlock(block) && contains(block, call)).length;
    beginWith(fn, { lines, awaits: false }, edits, indentUnit(call.getSourceFile()).repeat(levels + outer));
}

/** A statement with the comments above it, line by line, without its indentation. */
function linesOf(statement: Node, fn: FunctionNode, call: Node): string[] {
    const text = statement.getSourceFile().getFullText();
    const { start } = statementLines(statement);
    const comments = text.slice(start, lineStart(text, statement.getStart()));
    const written = comments + indentOf(text, statement.getStart()) + inHandler(statement, fn, call);
    return reindented(written, indentOf(text, statement.getStart()), '')
        .split(/\r?\n/)
        .filter(line => line.trim() !== '');
}

/** Code as it reads in a handler: a server that is not known there is the one the handler is registered with. */
function inHandler(code: Node, fn: FunctionNode, call: Node): string {
    let text = code.getText();
    const receiver = Node.isCallExpression(call) ? memberObject(unwrap(call.getExpression())) : undefined;
    for (const use of freeIdentifiers(code).reverse()) {
        const declarations = use.getSymbol()?.getDeclarations() ?? [];
        const [declaration] = declarations;
        if (declaration === undefined || declarations.some(one => one.getSourceFile().isDeclarationFile())) continue;
        if (contains(scopeOf(declaration), fn)) continue;
        if (Node.isVariableDeclaration(declaration) && /getClientCapabilities/.test(declaration.getText())) continue;
        const type = use.getType().getSymbol()?.getDeclarations() ?? [];
        if (receiver === undefined || !type.some(isSdkDeclaration)) {
            throw new NotChangeable(`${use.getText()} is not known in the handler`, use);
        }
        const at = use.getStart() - code.getStart();
        text = text.slice(0, at) + receiver.getText() + text.slice(at + use.getText().length);
    }
    return text;
}

function refusal(call: Node, condition: Node, constants: ReadonlyMap<Node, Constant>): string {
    const spelled = (code: Node): string =>
        `${code.getText()} ` +
        constantsIn(code, constants)
            .map(({ declaration }) => declaration.getInitializer())
            .map(initializer => (initializer === undefined ? '' : spelled(initializer)))
            .join(' ');
    const words = new Set(spelled(condition).match(/\b(?:elicitation|sampling|roots)\b/g) ?? []);
    const what = words.size === 0 ? 'what this needs' : [...words].join(' and ');
    const text = call.getSourceFile().getFullText();
    const quote = (text.match(/"/g)?.length ?? 0) > (text.match(/'/g)?.length ?? 0) ? '"' : "'";
    return `${quote}The client does not support ${what}.${quote}`;
}

/** Moves what registers in front of the hook; a hook with nothing else goes. */
function moveOut(
    hook: Hook,
    late: readonly Node[],
    others: readonly Node[],
    edits: LineEdits,
    registrations: readonly Registration[],
    guards: readonly Guard[]
): void {
    const file = hook.statement.getSourceFile();
    const text = file.getFullText();
    if (
        late.some(
            one =>
                one.getDescendantsOfKind(SyntaxKind.AwaitExpression).length > 0 && !insideHandlers(one, registrations)
        )
    ) {
        throw new NotChangeable('what registers has to be waited for', hook.statement);
    }
    const body = hook.fn.getBody();
    const plain = late.every(one => !registrations.some(({ call }) => contains(one, call)));
    if (others.length === 0 && body !== undefined) {
        edits.unwrapBlock(hook.statement, body);
        return;
    }
    if (!plain || guards.some(({ statement }) => contains(hook.fn, statement))) {
        throw new NotChangeable('the hook registers, and does other things too', hook.statement);
    }
    const at = statementLines(hook.statement).start;
    const indent = indentOf(text, hook.statement.getStart());
    for (const statement of late) {
        const { start, end } = statementLines(statement);
        edits.replace(file, at, at, reindented(text.slice(start, end), indentOf(text, statement.getStart()), indent));
        edits.remove(statement);
    }
}

const insideHandlers = (code: Node, registrations: readonly Registration[]): boolean =>
    code
        .getDescendantsOfKind(SyntaxKind.AwaitExpression)
        .every(one => registrations.some(({ fn }) => fn !== undefined && contains(fn, one)));
