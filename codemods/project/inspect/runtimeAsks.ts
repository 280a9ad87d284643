import { Node } from 'ts-morph';
import type { CallExpression } from 'ts-morph';
import type { SiteKind } from '../../report.js';
import { calleeName, chainRoot, memberObject, stringValue, unwrap } from '../syntax.js';

const BUILDERS: Readonly<Record<string, SiteKind>> = {
    elicit: 'elicit',
    elicitUrl: 'elicitUrl',
    sample: 'sample',
    createMessage: 'sample',
    listRoots: 'roots'
};

/** `ctx.need(key, request)`, `need(key, request)`: the request's kind and the key, where it is written down. */
export function needCall(call: CallExpression): { kind: SiteKind; key: string | undefined } | undefined {
    if (calleeName(call) !== 'need' || !belongsToRuntime(call)) return undefined;
    const [key, request] = call.getArguments();
    if (key === undefined || request === undefined) return undefined;
    const builder = unwrap(request);
    const kind = Node.isCallExpression(builder) ? BUILDERS[importedName(builder)] : undefined;
    return { kind: kind ?? 'elicit', key: literalKey(key) };
}

/** A local name is no reason not to know what is imported: `import { elicit as form }`. */
function importedName(call: CallExpression): string {
    const name = calleeName(call) ?? '';
    const callee = unwrap(call.getExpression());
    const declaration = Node.isIdentifier(callee) ? callee.getSymbol()?.getDeclarations()[0] : undefined;
    return Node.isImportSpecifier(declaration) ? declaration.getName() : name;
}

/** Only what is the same in every call of the function: `\`confirm-${id}\`` differs. */
function literalKey(key: Node): string | undefined {
    const value = unwrap(key);
    return Node.isStringLiteral(value) || Node.isNoSubstitutionTemplateLiteral(value)
        ? value.getLiteralValue()
        : stringConstant(value);
}

const stringConstant = (value: Node): string | undefined => (Node.isIdentifier(value) ? stringValue(value) : undefined);

/** `ctx.once(key, fn)`, `ctx.onceSync(key, fn)`; the `once` of an event emitter is another one. */
export function isOnceCall(node: Node): node is CallExpression {
    if (!Node.isCallExpression(node)) return false;
    const name = calleeName(node);
    return (name === 'once' || name === 'onceSync') && belongsToRuntime(node);
}

const CONTEXT = /^_?(?:ctx|context|extra|c|mrtr)$/;

/** By the type where there is one, else by what the receiver is called. */
function belongsToRuntime(call: CallExpression): boolean {
    const callee = unwrap(call.getExpression());
    const name = Node.isPropertyAccessExpression(callee) ? callee.getNameNode() : callee;
    const symbol = name.getSymbol();
    const declarations = (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations() ?? [];
    if (declarations.some(isOfRuntime)) return true;
    const object = memberObject(callee);
    if (object === undefined) return declarations.some(Node.isImportSpecifier) && imports(name, 'mcp-mrtr');
    return declarations.length === 0 && CONTEXT.test(chainRoot(object).getText());
}

/** Declared by the types of this package, wherever they are installed. */
function isOfRuntime(declaration: Node): boolean {
    return /\/(?:mcp-mrtr\/(?:dist\/)?(?:.*\/)?|shim\/)handler\/(?:need|running)\.(?:d\.)?ts$/.test(
        declaration.getSourceFile().getFilePath()
    );
}

function imports(name: Node, module: string): boolean {
    const declaration = name.getSymbol()?.getDeclarations()[0]?.getFirstAncestor(Node.isImportDeclaration);
    return declaration?.getModuleSpecifierValue() === module;
}

/** `inputRequired({ inputRequests, requestState })`: the result of a hand-written round. */
export function isInputRequired(node: Node): node is CallExpression {
    if (!Node.isCallExpression(node)) return false;
    const callee = unwrap(node.getExpression());
    if (!Node.isIdentifier(callee)) return false;
    const declaration = callee.getSymbol()?.getDeclarations()[0];
    if (Node.isImportSpecifier(declaration)) return declaration.getName() === 'inputRequired';
    return callee.getText() === 'inputRequired';
}

/** How a `resumable(options?, handler)` around a callback lets it wait. */
export interface Suspension {
    mode: 'replay' | 'park' | 'auto';
    unwinds: boolean;
    settles: boolean;
}

/** The options of the `resumable(…)` that a callback is given to. */
export function suspensionOf(callback: Node): Suspension {
    const call = callback.getParent();
    const options = Node.isCallExpression(call) && call.getArguments().length > 1 ? call.getArguments()[0] : undefined;
    const text = options === undefined || options === callback ? '' : options.getText();
    const mode = /\bmode\s*:\s*['"`](park|auto)/.exec(text)?.[1];
    return {
        mode: mode === 'park' || mode === 'auto' ? mode : 'replay',
        unwinds: /\bonSuspend\s*:\s*['"`]unwind/.test(text),
        settles: /\bsettleMs\b/.test(text)
    };
}
