import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression, SourceFile } from 'ts-morph';
import type { HttpEntryFact, ServedEntry } from '../facts/facts.js';
import { eraBranch } from './eraBranch.js';
import { isSdkDeclaration } from './ownership.js';
import { freeIdentifiers, scopeOf } from './lifecycle/callTree.js';
import { indentOf, lineStart, statementLines } from './lifecycle/lines.js';
import { contains, isFunctionNode, memberName, memberObject, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';

type Transport = 'node' | 'web' | 'sse' | 'stdio' | 'memory';

/** Transports of servers, by how a request reaches them. */
const TRANSPORTS: Readonly<Partial<Record<string, Transport>>> = {
    StreamableHTTPServerTransport: 'node',
    NodeStreamableHTTPServerTransport: 'node',
    WebStandardStreamableHTTPServerTransport: 'web',
    SSEServerTransport: 'sse',
    StdioServerTransport: 'stdio',
    InMemoryTransport: 'memory'
};

/** Asks which era a request is of: an entry that does so serves both already. */
const ROUTES_BY_ERA = /\bisLegacyRequest\s*\(/;

/** Every `server.connect(transport)` of a file that is no entry over stdio: served over HTTP, or left with the reason. */
export function findHttpEntries(file: SourceFile, stdio: ReadonlySet<number>): HttpEntryFact[] {
    const found = new Map<Node, HttpEntryFact>();
    for (const call of file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
        const callee = unwrap(call.getExpression());
        const server = memberObject(callee);
        const transport = call.getArguments()[0];
        if (memberName(callee) !== 'connect' || server === undefined || transport === undefined) continue;
        // An override hands on what it is called with: the entry is where that happens.
        if (Node.isSuperExpression(server)) continue;
        if (!isServer(server) || stdio.has(call.getStart())) continue;
        const kind = transportKind(transport);
        if (kind === 'memory') continue;
        const entry = entryOf(call, server, kind);
        if (entry !== undefined && !found.has(entry.key)) found.set(entry.key, entry.fact);
    }
    return [...found.values()];
}

function entryOf(
    call: CallExpression,
    server: Node,
    kind: Transport | undefined
): { key: Node; fact: HttpEntryFact } | undefined {
    const file = call.getSourceFile().getFilePath();
    const left = (reason: string): { key: Node; fact: HttpEntryFact } => ({
        key: call,
        fact: { file, connect: call.getStart(), left: reason }
    });
    if (kind === 'sse') return left('HTTP+SSE stays a transport of 2025-era clients');
    if (kind === 'stdio') return left('its transport is used in a way that is not known');
    if (kind !== 'node' && kind !== 'web') return left('its transport is not known');
    const route = call
        .getAncestors()
        .filter(isFunctionNode)
        .find(fn => handlesRequests(fn) !== undefined);
    if (route === undefined) return left('the route that hands it requests is not known');
    if (ROUTES_BY_ERA.test(route.getText())) return undefined;
    const request = handlesRequests(route);
    const factory = factoryOf(server, route);
    if (typeof factory !== 'string') return left(factory.reason);
    const body = route.getBody();
    if (request === undefined) return left('the route that hands it requests is not known');
    const reading = kind === 'node' && request[2] === undefined ? bodyParser(route, request) : NOTHING_TO_READ;
    if (reading === undefined) {
        return left('its route leaves the body of a request unread, and a body can be read only once');
    }
    if (!Node.isBlock(body)) return left('its route is not written as a block');
    const statement = statementAround(route);
    if (statement === undefined) return left('its route is a method, and another one makes the server');
    const unguarded = unguardedBy(route, kind);
    if (unguarded !== undefined) return left(unguarded);
    const branch = eraBranch({ fn: route, body, serving: [call, server, ...makingOf(server, route)] });
    if (typeof branch === 'string') return left(branch);
    const text = call.getSourceFile().getFullText();
    if (text.slice(lineStart(text, branch.getStart()), branch.getStart()).trim() !== '') {
        return left('its route is written in one line');
    }
    return {
        key: route,
        fact: {
            file,
            connect: call.getStart(),
            serve: {
                transport: kind,
                factory,
                request: [...request, ...reading.body],
                insertions: reading.insertions,
                declareAt: statementLines(statement).start,
                declareIndent: indentOf(text, statement.getStart()),
                branchAt: statementLines(branch).start,
                branchIndent: indentOf(text, branch.getStart()),
                hijacks: /^\w+\.raw$/.test(request[1] ?? '')
            }
        }
    };
}

/** What the old transport looks at or is told, and the new handler would not. */
function unguardedBy(route: FunctionNode, kind: Transport): string | undefined {
    const options = route
        .getSourceFile()
        .getDescendantsOfKind(SyntaxKind.NewExpression)
        .filter(one => TRANSPORTS[one.getExpression().getText()] === kind)
        .map(one => one.getArguments()[0]?.getText() ?? '');
    if (options.some(one => /\b(?:enableDnsRebindingProtection|allowedHosts|allowedOrigins)\b/.test(one))) {
        return 'its transport checks Host and Origin; have hostHeaderValidation and originValidation of the SDK do so in front of the route';
    }
    const told = route
        .getDescendantsOfKind(SyntaxKind.CallExpression)
        .some(one => memberName(unwrap(one.getExpression())) === 'handleRequest' && one.getArguments().length > 1);
    return kind === 'web' && told ? 'its route tells the transport who calls; tell createMcpHandler too' : undefined;
}

/** The declaration that makes a server in its route. */
function makingOf(server: Node, route: FunctionNode): Node[] {
    const declaration = Node.isIdentifier(server) ? server.getSymbol()?.getDeclarations()[0] : undefined;
    return declaration !== undefined && contains(route, declaration) ? [declaration] : [];
}

const NOTHING_TO_READ: { insertions: ServedEntry['insertions']; body: string[] } = { insertions: [], body: [] };

/** The size up to which the transport of the SDK reads a body by itself. */
const BODY_LIMIT = '4mb';

/** With Express the body can be read in front of a route, once for both eras. */
function bodyParser(route: FunctionNode, request: readonly string[]): typeof NOTHING_TO_READ | undefined {
    const call = route.getParent();
    const express = route
        .getSourceFile()
        .getImportDeclaration(one => one.getModuleSpecifierValue() === 'express')
        ?.getDefaultImport();
    const [req, res] = request;
    if (!Node.isCallExpression(call) || express === undefined || req === undefined || res === undefined)
        return undefined;
    if (!/^\.(?:post|all)$/.test(`.${memberName(unwrap(call.getExpression())) ?? ''}`)) return undefined;
    const quote = express.getSourceFile().getText().includes("'") ? "'" : '"';
    const parser = `${express.getText()}.json({ limit: ${quote}${BODY_LIMIT}${quote} }), `;
    const handed = route
        .getDescendantsOfKind(SyntaxKind.CallExpression)
        .filter(one => memberName(unwrap(one.getExpression())) === 'handleRequest' && one.getArguments().length === 2)
        .map(one => ({ at: one.getArguments()[1]?.getEnd() ?? one.getEnd(), text: `, ${req}.body` }));
    return { insertions: [{ at: route.getStart(), text: parser }, ...handed], body: [`${req}.body`] };
}

function isServer(node: Node): boolean {
    const type = node.getType();
    if (type.isAny()) return /server|mcp/i.test(memberName(unwrap(node)) ?? node.getText());
    const symbol = type.getSymbol();
    if (symbol === undefined || !['McpServer', 'Server'].includes(symbol.getName())) return false;
    return symbol.getDeclarations().some(isSdkDeclaration);
}

/** By the type of an expression, else by what its name is made of in the same file. */
function transportKind(node: Node): Transport | undefined {
    const expression = unwrap(node);
    const typed = TRANSPORTS[expression.getType().getSymbol()?.getName() ?? ''];
    if (typed !== undefined) return typed;
    const name = memberName(expression) ?? expression.getText();
    const made = node
        .getSourceFile()
        .getDescendantsOfKind(SyntaxKind.NewExpression)
        .filter(one => TRANSPORTS[one.getExpression().getText()] !== undefined)
        .filter(one => {
            const parent = one.getParent();
            if (Node.isVariableDeclaration(parent)) return parent.getName() === name;
            return (
                Node.isBinaryExpression(parent) && (memberName(parent.getLeft()) ?? parent.getLeft().getText()) === name
            );
        })
        .map(one => TRANSPORTS[one.getExpression().getText()]);
    return made.length > 0 && made.every(kind => kind === made[0]) ? made[0] : undefined;
}

/** What a function hands to `transport.handleRequest`, when it is made of its own parameters. */
function handlesRequests(fn: FunctionNode): string[] | undefined {
    const parameters = fn.getParameters().map(parameter => parameter.getNameNode());
    for (const call of fn.getDescendantsOfKind(SyntaxKind.CallExpression)) {
        if (memberName(unwrap(call.getExpression())) !== 'handleRequest') continue;
        const args = call.getArguments();
        const [request] = args;
        if (request === undefined || !isMadeOf(request, parameters)) continue;
        return args.filter(argument => isMadeOf(argument, parameters)).map(argument => argument.getText());
    }
    return undefined;
}

function isMadeOf(node: Node, names: readonly Node[]): boolean {
    if (!/^[\w.]+$/.test(node.getText())) return false;
    const [root] = freeIdentifiers(node);
    const declarations = root?.getSymbol()?.getDeclarations() ?? [];
    return declarations.some(one => names.some(name => contains(one, name) || name === one));
}

/** An expression that makes a server of its own for each request. */
function factoryOf(server: Node, route: FunctionNode): string | { reason: string } {
    const shared = { reason: 'one server object serves all its requests; make it in a function first' };
    if (Node.isCallExpression(server)) return factoryFrom(server, false, '', route);
    const declaration = Node.isIdentifier(server) ? server.getSymbol()?.getDeclarations()[0] : undefined;
    const variable = Node.isBindingElement(declaration)
        ? declaration.getFirstAncestor(Node.isVariableDeclaration)
        : declaration;
    if (!Node.isVariableDeclaration(variable)) return shared;
    if (!contains(route, variable)) return shared;
    const written = variable.getInitializer();
    const made = written === undefined ? undefined : unwrap(written);
    const call = Node.isAwaitExpression(made) ? unwrap(made.getExpression()) : made;
    if (!Node.isCallExpression(call))
        return { reason: 'its server is made in the route itself; make it in a function first' };
    const picked = Node.isBindingElement(declaration)
        ? `.${declaration.getPropertyNameNode()?.getText() ?? declaration.getName()}`
        : '';
    return factoryFrom(call, Node.isAwaitExpression(made), picked, route);
}

function factoryFrom(
    call: CallExpression,
    awaited: boolean,
    picked: string,
    route: FunctionNode
): string | { reason: string } {
    const inside = freeIdentifiers(call).filter(use =>
        (use.getSymbol()?.getDeclarations() ?? []).some(one => contains(route, one))
    );
    if (inside.length > 0 || call.getDescendantsOfKind(SyntaxKind.ThisKeyword).length > 0) {
        return { reason: `its server is made of what only the route knows (${inside[0]?.getText() ?? 'this'})` };
    }
    if (picked === '') return `() => ${call.getText()}`;
    return awaited ? `async () => (await ${call.getText()})${picked}` : `() => ${call.getText()}${picked}`;
}

/** The statement that a route is part of, among those of the block around it. */
function statementAround(route: FunctionNode): Node | undefined {
    if (Node.isMethodDeclaration(route) && Node.isClassDeclaration(route.getParent())) return undefined;
    const scope = scopeOf(route);
    return [route, ...route.getAncestors()].find(node => Node.isStatement(node) && node.getParent() === scope);
}
