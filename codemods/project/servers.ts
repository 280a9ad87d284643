import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression, ClassDeclaration, SourceFile } from 'ts-morph';
import type { EntryFact, ServerFact } from '../facts/facts.js';
import { spanOf } from './contextParameters.js';
import { isSdkDeclaration, whoseCall } from './ownership.js';
import { isRuntimeCall } from './runtimeCalls.js';
import { memberName, memberObject, outermost, unwrap } from './syntax.js';
import { usesOf } from './references.js';
import { transportHooks } from './transportHooks.js';

const SERVER_CLASSES: ReadonlySet<string> = new Set(['McpServer', 'Server']);

/**
 * Every `new McpServer(…)` and `new Server(…)` of the SDK in a file. Of a class that extends one it is its constructor,
 * behind `super(…)`, for it may register tools; without a constructor it is where the class is instantiated.
 */
export function findServers(file: SourceFile): ServerFact[] {
    const servers = file.getClasses().flatMap(inConstructor);
    for (const node of file.getDescendants()) {
        if (!Node.isNewExpression(node) || !makesServer(node.getExpression())) continue;
        const parent = outermost(node).getParent();
        const attached = Node.isCallExpression(parent) && isRuntimeCall(parent, 'attach');
        servers.push({ file: file.getFilePath(), construction: spanOf(node), attached });
    }
    return servers;
}

function makesServer(expression: Node): boolean {
    if (sdkClass(expression, SERVER_CLASSES) !== undefined) return true;
    const symbol = unwrap(expression).getSymbol();
    const own = (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations().find(Node.isClassDeclaration);
    return own !== undefined && own.getConstructors().length === 0 && extendsServer(own);
}

function extendsServer(own: ClassDeclaration): boolean {
    const base = own.getExtends()?.getExpression();
    return base !== undefined && sdkClass(base, SERVER_CLASSES) !== undefined;
}

function inConstructor(own: ClassDeclaration): ServerFact[] {
    if (!extendsServer(own)) return [];
    const statements = own.getConstructors().flatMap(made => made.getStatements());
    const attached = statements.some(one => {
        const call = Node.isExpressionStatement(one) ? one.getExpression() : undefined;
        return Node.isCallExpression(call) && isRuntimeCall(call, 'attach');
    });
    return statements.filter(isSuperCall).map(statement => ({
        file: own.getSourceFile().getFilePath(),
        construction: spanOf(statement),
        attached,
        statement: { indent: statement.getIndentationText(), semicolon: statement.getText().endsWith(';') }
    }));
}

function isSuperCall(statement: Node): boolean {
    const call = Node.isExpressionStatement(statement) ? statement.getExpression() : undefined;
    return Node.isCallExpression(call) && call.getExpression().getKind() === SyntaxKind.SuperKeyword;
}

/** The SDK's name of a class expression, when it is one of `names`. */
function sdkClass(expression: Node, names: ReadonlySet<string>): string | undefined {
    const symbol = unwrap(expression).getSymbol();
    const resolved = symbol?.getAliasedSymbol() ?? symbol;
    if (resolved === undefined || !names.has(resolved.getName())) return undefined;
    if (resolved.getDeclarations().some(isImportedLater)) return resolved.getName();
    return resolved.getDeclarations().some(isSdkDeclaration) ? resolved.getName() : undefined;
}

/** `const { StdioServerTransport } = await import('@modelcontextprotocol/…')`. */
function isImportedLater(declaration: Node): boolean {
    if (!Node.isBindingElement(declaration)) return false;
    const initializer = declaration.getFirstAncestor(Node.isVariableDeclaration)?.getInitializer()?.getText() ?? '';
    return /^\(?\s*await import\(\s*['"]@modelcontextprotocol\//.test(initializer);
}

const STDIO: ReadonlySet<string> = new Set(['StdioServerTransport']);

/** Every `server.connect(new StdioServerTransport())`, with the transport given directly or by name. */
export function findStdioEntries(file: SourceFile): EntryFact[] {
    const entries: EntryFact[] = [];
    for (const node of file.getDescendants()) {
        if (!Node.isCallExpression(node) || memberName(unwrap(node.getExpression())) !== 'connect') continue;
        const entry = entryOf(node);
        if (entry !== undefined) entries.push(entry);
    }
    return entries;
}

function entryOf(call: CallExpression): EntryFact | undefined {
    const server = memberObject(unwrap(call.getExpression()));
    const argument = call.getArguments()[0];
    if (server === undefined || argument === undefined || isOwnMethod(call)) return undefined;
    const transport = transportOf(argument);
    if (transport === undefined) return undefined;
    const parent = call.getParent();
    const awaited = Node.isAwaitExpression(parent) ? parent : undefined;
    const expression = awaited ?? call;
    const alone = Node.isExpressionStatement(expression.getParent());
    const hooks = transport.transport === undefined ? undefined : transportHooks(call, unwrap(argument));
    return {
        file: call.getSourceFile().getFilePath(),
        connect: call.getStart(),
        expression: spanOf(alone ? expression : call),
        server: server.getText(),
        usedAsPromise: !alone,
        ...transport,
        ...(hooks === undefined ? {} : typeof hooks === 'string' ? { blocked: hooks } : { hooks })
    };
}

/** `session.connect(transport)` of a class of the project that is no server, but holds one. */
function isOwnMethod(call: CallExpression): boolean {
    const callee = unwrap(call.getExpression());
    if (whoseCall(callee).kind !== 'project') return false;
    const owner = memberObject(callee)?.getType().getSymbol()?.getDeclarations().find(Node.isClassDeclaration);
    return owner === undefined || !extendsServer(owner);
}

type TransportPart = Pick<EntryFact, 'transport' | 'transportStatement'>;

function transportOf(argument: Node): TransportPart | undefined {
    const expression = unwrap(argument);
    if (Node.isNewExpression(expression)) {
        if (sdkClass(expression.getExpression(), STDIO) === undefined) return undefined;
        return expression.getArguments().length === 0 ? {} : { transport: expression.getText() };
    }
    if (isStdioField(expression)) return { transport: expression.getText() };
    if (!Node.isIdentifier(expression)) return undefined;
    const declaration = expression.getSymbol()?.getDeclarations()[0];
    if (!Node.isVariableDeclaration(declaration)) return undefined;
    const made = declaration.getInitializer();
    const construction = made === undefined ? undefined : unwrap(made);
    if (!Node.isNewExpression(construction) || sdkClass(construction.getExpression(), STDIO) === undefined)
        return undefined;
    const name = declaration.getNameNode();
    const uses = Node.isIdentifier(name) ? usesOf(name) : [];
    const statement = declaration.getVariableStatement();
    const removable =
        uses.length === 1 && construction.getArguments().length === 0 && statement?.getDeclarations().length === 1;
    return removable ? { transportStatement: spanOf(statement) } : { transport: expression.getText() };
}

/** `this.transport`, to which a class gives nothing but transports of stdio. */
function isStdioField(expression: Node): boolean {
    if (!Node.isPropertyAccessExpression(expression) || !Node.isThisExpression(expression.getExpression()))
        return false;
    const owner = expression.getFirstAncestor(Node.isClassDeclaration);
    if (owner === undefined) return false;
    const field = owner.getProperty(expression.getName())?.getInitializer();
    const given = owner
        .getDescendantsOfKind(SyntaxKind.BinaryExpression)
        .filter(one => one.getOperatorToken().getText() === '=' && one.getLeft().getText() === expression.getText())
        .map(one => one.getRight());
    const made = [...given, ...(field === undefined ? [] : [field])].map(unwrap);
    const known = made.filter(one => Node.isNewExpression(one) && sdkClass(one.getExpression(), STDIO) !== undefined);
    const emptied = made.filter(one => /^(?:null|undefined)$/.test(one.getText()));
    return known.length > 0 && known.length + emptied.length === made.length;
}
