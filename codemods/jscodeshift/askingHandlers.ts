import type { SiteKind } from '../report.js';
import { dotted, identifier, isNode, nameOf, propertyOf, stringOf, visit } from './tree.js';
import type { Ancestors, AstNode } from './tree.js';

/** A push call that can be rewritten without knowing more than this file. */
export interface FoundAsk {
    node: AstNode;
    kind: SiteKind;
    /** The function of the runtime that makes its request. */
    builder: string;
    /** The variable that takes the answer. */
    variable: string | undefined;
}

export interface AskingHandler {
    /** `server.registerTool(…)`. */
    registration: AstNode;
    /** Its callback, as it is written there. */
    fn: AstNode;
    /** Name of the context parameter. */
    context: string;
    /** Gives the callback that parameter, where it has none. */
    takeContext: () => void;
    asks: FoundAsk[];
}

const METHODS: Readonly<Record<string, { kind: SiteKind; builder: string }>> = {
    elicitInput: { kind: 'elicit', builder: 'elicit' },
    createMessage: { kind: 'sample', builder: 'sample' },
    listRoots: { kind: 'roots', builder: 'listRoots' }
};

/**
 * The handlers of a file that ask, and of which all is plain: the server is a constant of the file, and nothing but other
 * asks happens above an ask. The servers are the declarations that have to be attached.
 */
export function askingHandlers(program: AstNode): { handlers: AskingHandler[]; servers: ReadonlySet<AstNode> } {
    const servers = serversOf(program);
    const handlers: AskingHandler[] = [];
    const used = new Set<AstNode>();
    const inHandlers = new Set<AstNode>();
    const pushes: AstNode[] = [];
    visit(program, node => {
        const server = node.type === 'CallExpression' ? registeredOn(node, servers) : undefined;
        if (server === undefined) return;
        const handler = handlerOf(node, servers);
        if (handler === undefined) return;
        handlers.push(handler);
        used.add(server);
        for (const { node: ask } of handler.asks) inHandlers.add(ask);
    });
    visit(program, node => {
        if (pushMethod(node) !== undefined) pushes.push(node);
    });
    // An ask that is left would make a file of two kinds, of which the entry can only serve one.
    const all = pushes.every(node => inHandlers.has(node));
    return all ? { handlers, servers: used } : { handlers: [], servers: new Set() };
}

/** `const server = new McpServer(…)`: name → declaration. */
function serversOf(program: AstNode): Map<string, AstNode> {
    const servers = new Map<string, AstNode>();
    visit(program, node => {
        if (node.type !== 'VariableDeclarator' || !isNode(node.init) || node.init.type !== 'NewExpression') return;
        const made = nameOf(node.init.callee);
        const name = nameOf(node.id);
        if (name !== undefined && made === 'McpServer') servers.set(name, node);
    });
    return servers;
}

const REGISTERING: ReadonlySet<string> = new Set(['registerTool', 'registerPrompt', 'registerResource']);

function registeredOn(node: AstNode, servers: ReadonlyMap<string, AstNode>): AstNode | undefined {
    const [server = '', method = '', more] = dotted(node.callee)?.split('.') ?? [];
    return more === undefined && REGISTERING.has(method) ? servers.get(server) : undefined;
}

const FUNCTIONS: ReadonlySet<string> = new Set(['ArrowFunctionExpression', 'FunctionExpression']);

function handlerOf(registration: AstNode, servers: ReadonlyMap<string, AstNode>): AskingHandler | undefined {
    const fn = (registration.arguments as AstNode[]).at(-1);
    if (fn === undefined || !FUNCTIONS.has(fn.type) || fn.async !== true) return undefined;
    const asks = asksIn(fn, servers);
    const context = asks === undefined || asks.length === 0 ? undefined : contextOf(registration, fn);
    return asks === undefined || context === undefined ? undefined : { registration, fn, asks, ...context };
}

/** The asks of a function; undefined where one of them, or what stands above one, is not plain. */
function asksIn(fn: AstNode, servers: ReadonlyMap<string, AstNode>): FoundAsk[] | undefined {
    const found: FoundAsk[] = [];
    const seen = { plain: true, acted: false };
    visit(fn, (node, ancestors) => {
        if (node === fn) return;
        const ask = askAt(node, ancestors, servers);
        if (ask !== undefined) {
            found.push(ask);
            seen.plain &&= !seen.acted && isPlain(ask.node, ancestors, fn);
            return;
        }
        if (pushMethod(node) !== undefined) seen.plain = false;
        else if (ACTING.has(node.type) && !isInReturn(ancestors, fn) && !isInAsk(ancestors, found)) seen.acted = true;
    });
    return seen.plain ? found : undefined;
}

/** What may do something that would happen again. */
const ACTING: ReadonlySet<string> = new Set([
    'CallExpression',
    'OptionalCallExpression',
    'NewExpression',
    'AssignmentExpression',
    'UpdateExpression',
    'TaggedTemplateExpression',
    'ForOfStatement',
    'YieldExpression'
]);

/** A branch that returns is over before the next ask. */
const isInReturn = (ancestors: Ancestors, fn: AstNode): boolean =>
    ancestors.slice(0, ancestors.indexOf(fn)).some(({ type }) => type === 'ReturnStatement');

const isInAsk = (ancestors: Ancestors, asks: readonly FoundAsk[]): boolean =>
    asks.some(({ node }) => ancestors.includes(node));

function askAt(node: AstNode, ancestors: Ancestors, servers: ReadonlyMap<string, AstNode>): FoundAsk | undefined {
    const method = pushMethod(node);
    const receiver = /^(\w+)(?:\.server)?\.\w+$/.exec(dotted(node.callee) ?? '')?.[1];
    if (method === undefined || receiver === undefined || !servers.has(receiver)) return undefined;
    const args = node.arguments as AstNode[];
    // Options and pages mean something else in a round, and a request that is spread cannot be seen.
    if (
        args.length > 1 ||
        args.some(({ type }) => type === 'SpreadElement') ||
        stringOf(propertyOf(args[0], 'mode')) === 'url'
    )
        return undefined;
    const declarator = ancestors[1];
    return { node, ...method, variable: declarator?.type === 'VariableDeclarator' ? nameOf(declarator.id) : undefined };
}

function pushMethod(node: AstNode): { kind: SiteKind; builder: string } | undefined {
    if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type !== 'MemberExpression')
        return undefined;
    const name = nameOf(node.callee.property) ?? '';
    return Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
}

const AROUND: ReadonlySet<string> = new Set([
    'TryStatement',
    'ForStatement',
    'ForOfStatement',
    'ForInStatement',
    'WhileStatement',
    'DoWhileStatement',
    'ArrowFunctionExpression',
    'FunctionExpression',
    'FunctionDeclaration',
    'ObjectMethod'
]);

/** Awaited where it stands, in the handler itself, once, and with a request that does not call anything. */
function isPlain(ask: AstNode, ancestors: Ancestors, fn: AstNode): boolean {
    const around = ancestors.slice(0, ancestors.indexOf(fn));
    if (ancestors[0]?.type !== 'AwaitExpression' || around.some(({ type }) => AROUND.has(type))) return false;
    let calls = false;
    for (const argument of ask.arguments as AstNode[]) visit(argument, node => (calls ||= ACTING.has(node.type)));
    return !calls;
}

/** Position of the context among the parameters, as the registration says; undefined where it does not. */
function contextOf(registration: AstNode, fn: AstNode): Pick<AskingHandler, 'context' | 'takeContext'> | undefined {
    const method = dotted(registration.callee)?.split('.')[1];
    const config = (registration.arguments as AstNode[])[1];
    const parameters = fn.params as AstNode[];
    if (method === 'registerResource' ? stringOf(config) === undefined : config?.type !== 'ObjectExpression')
        return undefined;
    const schema = method === 'registerTool' ? 'inputSchema' : 'argsSchema';
    const index = method === 'registerResource' || propertyOf(config, schema) !== undefined ? 1 : 0;
    const present = parameters[index];
    if (present !== undefined) {
        return present.type === 'Identifier' && present.typeAnnotation == null
            ? { context: present.name as string, takeContext: () => undefined }
            : undefined;
    }
    if (bindsName(fn, 'ctx')) return undefined;
    return {
        context: 'ctx',
        takeContext: () => {
            while (parameters.length < index) parameters.push(identifier('_args'));
            parameters.push(identifier('ctx'));
        }
    };
}

function bindsName(fn: AstNode, name: string): boolean {
    let found = false;
    visit(fn, node => (found ||= node.type === 'Identifier' && node.name === name));
    return found;
}
