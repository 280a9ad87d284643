import { Node } from 'ts-morph';
import type { CallExpression, VariableDeclaration } from 'ts-morph';
import { PUSH_METHODS } from '../facts/surface.js';
import { isFunctionNode, memberName, memberObject, outermost, unwrap } from './syntax.js';
import { referencesTo } from './references.js';

/**
 * A push method under a local name: `const ask = server.elicitInput.bind(server)`, `const ask = server.elicitInput`, or
 * an adapter whose type is written down, `const ask: Ask = (params, options) => server.elicitInput(params, options)`.
 * Returns the member expression of the method.
 */
export function aliasedMethod(declaration: Node | undefined): Node | undefined {
    if (!Node.isVariableDeclaration(declaration)) return undefined;
    const initializer = declaration.getInitializer();
    if (initializer === undefined) return undefined;
    const value = unwrap(initializer);
    if (isFunctionNode(value)) return adaptedCall(declaration)?.getExpression();
    return boundMethod(value) ?? (isPushMember(value) ? value : undefined);
}

/** `server.elicitInput` of `server.elicitInput.bind(server)`. */
export function boundMethod(node: Node): Node | undefined {
    if (!Node.isCallExpression(node)) return undefined;
    const callee = unwrap(node.getExpression());
    if (memberName(callee) !== 'bind') return undefined;
    const method = memberObject(callee);
    return method !== undefined && isPushMember(unwrap(method)) ? unwrap(method) : undefined;
}

/** The push call that an adapter with a written type consists of. */
export function adaptedCall(declaration: VariableDeclaration): CallExpression | undefined {
    const initializer = declaration.getInitializer();
    const fn = initializer === undefined ? undefined : unwrap(initializer);
    if (declaration.getTypeNode() === undefined || !Node.isArrowFunction(fn)) return undefined;
    const body = unwrap(fn.getBody());
    if (!Node.isCallExpression(body) || !isPushMember(unwrap(body.getExpression()))) return undefined;
    const names = fn.getParameters().map(parameter => parameter.getName());
    const handsOn = body.getArguments().every((argument, index) => argument.getText() === names[index]);
    return handsOn ? body : undefined;
}

/** Whether a push call is all that an adapter does. */
export function isAdapterBody(call: CallExpression): boolean {
    const fn = outermost(call).getParent();
    const declaration = Node.isArrowFunction(fn) ? outermost(fn).getParent() : undefined;
    return Node.isVariableDeclaration(declaration) && adaptedCall(declaration) === call;
}

function isPushMember(node: Node): boolean {
    const name = memberName(node);
    return name !== undefined && Object.hasOwn(PUSH_METHODS, name);
}

/**
 * The calls through which a method that is passed on is called in the end: all uses of the variable that holds it, or of
 * the parameter that it is given for. Undefined when one of the uses is something else.
 */
export function callsThrough(reference: Node): CallExpression[] | undefined {
    const holder = holderOf(reference);
    const name = holder?.getNameNode();
    if (name === undefined || !Node.isIdentifier(name)) return undefined;
    const calls: CallExpression[] = [];
    for (const use of referencesTo(name)) {
        if (use === name) continue;
        const call = use.getParent();
        if (!Node.isCallExpression(call) || call.getExpression() !== use) return undefined;
        calls.push(call);
    }
    return calls.length === 0 ? undefined : calls;
}

/** The variable or parameter that takes a passed method. */
export function holderOf(reference: Node) {
    let value: Node = reference;
    if (Node.isCallExpression(value)) value = value.getFirstAncestor(Node.isArrowFunction) ?? value;
    const member = value.getParent();
    if (member !== undefined && memberName(member) === 'bind') value = member.getParent() ?? value;
    const outer = outermost(value);
    const parent = outer.getParent();
    if (Node.isVariableDeclaration(parent)) return parent;
    if (!Node.isCallExpression(parent)) return undefined;
    const index = parent.getArguments().findIndex(argument => argument === outer);
    const callee = unwrap(parent.getExpression());
    const nameNode = Node.isPropertyAccessExpression(callee) ? callee.getNameNode() : callee;
    const symbol = nameNode.getSymbol();
    const declarations: Node[] = (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations() ?? [];
    for (const declaration of declarations) {
        const initializer = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : declaration;
        const fn = initializer === undefined ? undefined : unwrap(initializer);
        if (isFunctionNode(fn)) return fn.getParameters()[index];
    }
    return undefined;
}
