import { Node } from 'ts-morph';
import type { Symbol as MorphSymbol, Type } from 'ts-morph';
import { CAPABILITIES_GETTER } from '../facts/surface.js';
import { aliasedMethod } from './aliases.js';
import { OWN_SDK_V1 } from './packages.js';
import { chainRoot, isFunctionNode, memberName, memberObject, unwrap } from './syntax.js';

/**
 * Whose method a push-like call calls.
 * - `sdk`: a member of an SDK class or context, by its type.
 * - `typed`: an interface or function type of the project whose result is an SDK result.
 * - `name`: the type is unknown (`any`), the receiver is called like a server or a request context.
 * - `project`: a function of the project with a body; the push call is inside it, not here.
 * - `foreign`: something else that only has the same name.
 */
export interface Ownership {
    kind: 'sdk' | 'typed' | 'name' | 'project' | 'foreign';
}

const SDK_PATH = new RegExp(`/(?:@modelcontextprotocol/(?:sdk|server|core|core-internal|client|node)|${OWN_SDK_V1})/`);
const SDK_CLIENT_PATH = new RegExp(
    `/@modelcontextprotocol/client/|/(?:@modelcontextprotocol/sdk|${OWN_SDK_V1})/dist/(?:esm|cjs)/client/`
);

export function isSdkDeclaration(node: Node): boolean {
    return SDK_PATH.test(node.getSourceFile().getFilePath());
}

/** Whether a member is one of an SDK class or context, a client's among them. */
export const isOfSdk = (callee: Node): boolean => declarationsOf(callee).some(isSdkDeclaration);

export function whoseCall(callee: Node): Ownership {
    const declarations = declarationsOf(callee);
    const aliased = aliasedMethod(declarations[0]);
    if (aliased !== undefined && aliased !== callee) return whoseCall(aliased);
    if (declarations.some(isSdkDeclaration)) {
        return { kind: clientOwns(callee) ? 'foreign' : 'sdk' };
    }
    if (declarations.length === 0) return { kind: byReceiver(callee) };
    if (declarations.some(hasBody)) return { kind: 'project' };
    if (flowsFromSdk(declarations)) return { kind: 'sdk' };
    if (resultIsFromSdk(callee) || takesPushRequest(callee)) return { kind: 'typed' };
    return { kind: callee.getType().isAny() ? byReceiver(callee) : 'foreign' };
}

function declarationsOf(callee: Node): Node[] {
    const node = Node.isPropertyAccessExpression(callee) ? callee.getNameNode() : callee;
    const symbol = node.getSymbol();
    return symbol === undefined ? [] : aliased(symbol).getDeclarations();
}

const aliased = (symbol: MorphSymbol): MorphSymbol => symbol.getAliasedSymbol() ?? symbol;

/** A client may call `request` too; its requests go to a server. */
function clientOwns(callee: Node): boolean {
    const object = memberObject(callee);
    const symbol = object?.getType().getSymbol();
    return symbol?.getDeclarations().some(node => SDK_CLIENT_PATH.test(node.getSourceFile().getFilePath())) ?? false;
}

function hasBody(node: Node): boolean {
    if (isFunctionNode(node)) return node.getKindName() === 'ArrowFunction' || bodyOf(node);
    if (Node.isVariableDeclaration(node) || Node.isPropertyDeclaration(node) || Node.isPropertyAssignment(node)) {
        const initializer = node.getInitializer();
        return initializer !== undefined && isFunctionNode(unwrap(initializer));
    }
    return false;
}

const bodyOf = (node: Node): boolean => Node.isBodyable(node) && node.getBody() !== undefined;

/** `const { sendRequest } = extra`, `({ sendRequest }) =>`: the property of an SDK type under a local name. */
function flowsFromSdk(declarations: Node[]): boolean {
    return declarations.some(declaration => {
        if (!Node.isBindingElement(declaration)) return false;
        const name = declaration.getPropertyNameNode()?.getText() ?? declaration.getName();
        const property = declaration.getParent().getType().getProperty(name);
        return property?.getDeclarations().some(node => isSdkDeclaration(node)) ?? false;
    });
}

/**
 * A method of the project's own interface (`{ elicitInput(params): … }`) through which an SDK server is called: it takes
 * what the push method takes.
 */
function takesPushRequest(callee: Node): boolean {
    const name = memberName(callee) ?? callee.getText();
    const telling = TELLING_PROPERTIES[name];
    if (name === CAPABILITIES_GETTER) return true;
    if (telling === undefined) return false;
    return callee
        .getType()
        .getNonNullableType()
        .getCallSignatures()
        .some(signature => {
            const parameter = signature.getParameters()[0];
            const type = parameter?.getTypeAtLocation(callee);
            if (type === undefined) return false;
            return type.isAny() || type.isUnknown() || telling.some(property => hasProperty(type, property));
        });
}

const TELLING_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
    elicitInput: ['requestedSchema', 'url'],
    createMessage: ['maxTokens', 'modelPreferences'],
    requestSampling: ['maxTokens', 'modelPreferences']
};

const hasProperty = (type: Type, name: string): boolean =>
    type.isUnion() ? type.getUnionTypes().some(part => hasProperty(part, name)) : type.getProperty(name) !== undefined;

function resultIsFromSdk(callee: Node): boolean {
    return callee
        .getType()
        .getNonNullableType()
        .getCallSignatures()
        .some(signature => {
            const result = awaited(signature.getReturnType());
            const symbols = [result.getAliasSymbol(), result.getSymbol()];
            return symbols.some(symbol => symbol?.getDeclarations().some(node => isSdkDeclaration(node)));
        });
}

function awaited(type: Type): Type {
    const argument = type.getSymbol()?.getName() === 'Promise' ? type.getTypeArguments()[0] : undefined;
    return argument ?? type;
}

const SERVER_NAME = /server|mcp/i;
const CONTEXT_NAME = /^(?:ctx|context|extra|mcpReq)$/;

/** Whether something is called like the context of a request. */
export const isContextName = (name: string): boolean => CONTEXT_NAME.test(name);

/** Without a type, a receiver counts as a server when it is called one: `server`, `this.mcpServer`, `deps.server`. */
function byReceiver(callee: Node): Ownership['kind'] {
    const object = memberObject(callee);
    if (object === undefined)
        return Node.isIdentifier(callee) && callee.getText() === 'sendRequest' ? 'name' : 'foreign';
    const receiver = unwrap(object);
    const last = memberName(receiver) ?? receiver.getText();
    const root = chainRoot(receiver);
    // `(server as any).createMessage`: the cast says that the type does not.
    const isAny = object.getType().isAny();
    if (!isAny && !Node.isIdentifier(root)) return 'foreign';
    if (SERVER_NAME.test(last) || CONTEXT_NAME.test(last)) return isAny ? 'name' : 'foreign';
    return 'foreign';
}
