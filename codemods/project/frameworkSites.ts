import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression, SourceFile } from 'ts-morph';
import { FRAMEWORKS } from '../facts/frameworks.js';
import type { Framework } from '../facts/frameworks.js';
import { SEND_METHODS, WIRE_METHODS } from '../facts/surface.js';
import type { SiteKind } from '../report.js';
import { chainRoot, isTestFile, memberName, objectLiteralOf, propertyValue, stringValue, unwrap } from './syntax.js';

/** The framework that a file is written for, by what it imports. */
export function frameworkOf(file: SourceFile): Framework | undefined {
    const imported = file.getImportDeclarations().map(one => one.getModuleSpecifierValue());
    return FRAMEWORKS.find(one => imported.some(name => one.imported.test(name)));
}

/** The framework that a package is: its own sources and tests import it by path. */
export function frameworkOfPackage(name: string | undefined): Framework | undefined {
    return name === undefined ? undefined : FRAMEWORKS.find(one => one.imported.test(name));
}

/** A call of a framework's own asking method, on something that is handed to the code: `ctx.elicit(…)`, `this.elicit(…)`. */
export function frameworkAsk(call: CallExpression, framework: Framework): SiteKind | undefined {
    const callee = unwrap(call.getExpression());
    const name = memberName(callee);
    if (name === undefined) return undefined;
    if (SEND_METHODS.has(name)) return wireKind(call);
    if (!Object.hasOwn(framework.methods, name)) return undefined;
    if (Object.hasOwn(WIRE_METHODS, name)) return framework.methods[name];
    const root = chainRoot(callee);
    if (Node.isThisExpression(root)) return isDeclaredHere(callee) ? undefined : framework.methods[name];
    if (!Node.isIdentifier(root)) return undefined;
    const declaration = root.getSymbol()?.getDeclarations()[0];
    const given = declaration?.getFirstAncestorByKind(SyntaxKind.Parameter) ?? declaration;
    const known =
        Node.isParameterDeclaration(given) ||
        isTestFile(call.getSourceFile().getFilePath()) ||
        /^(?:server|mcp|session|ctx|context|extra)$/i.test(root.getText());
    return known ? framework.methods[name] : undefined;
}

/** A method that the file itself declares is its own, whatever the framework calls one of its own. */
function isDeclaredHere(callee: Node): boolean {
    const member = Node.isPropertyAccessExpression(callee) ? callee.getNameNode() : callee;
    const declarations = member.getSymbol()?.getDeclarations() ?? [];
    return declarations.some(one => one.getSourceFile() === callee.getSourceFile());
}

/** What a request asks that is sent by its method: `request({ method: 'roots/list' })`, `request('roots/list', params)`. */
function wireKind(call: CallExpression): SiteKind | undefined {
    const [first] = call.getArguments();
    const method = stringValue(propertyValue(objectLiteralOf(first), 'method') ?? first);
    return method !== undefined && Object.hasOwn(WIRE_METHODS, method) ? WIRE_METHODS[method] : undefined;
}
