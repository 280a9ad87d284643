import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression, SourceFile } from 'ts-morph';
import { FRAMEWORKS } from '../facts/frameworks.js';
import type { Framework } from '../facts/frameworks.js';
import type { SiteKind } from '../report.js';
import { chainRoot, memberName, unwrap } from './syntax.js';

/** The framework that a file is written for, by what it imports. */
export function frameworkOf(file: SourceFile): Framework | undefined {
    const imported = file.getImportDeclarations().map(one => one.getModuleSpecifierValue());
    return FRAMEWORKS.find(one => imported.some(name => one.imported.test(name)));
}

/** A call of a framework's own asking method, on something that is handed to the code: `ctx.elicit(…)`, `this.elicit(…)`. */
export function frameworkAsk(call: CallExpression, framework: Framework): SiteKind | undefined {
    const callee = unwrap(call.getExpression());
    const name = memberName(callee);
    if (name === undefined || !Object.hasOwn(framework.methods, name)) return undefined;
    const root = chainRoot(callee);
    if (Node.isThisExpression(root)) return framework.methods[name];
    if (!Node.isIdentifier(root)) return undefined;
    const declaration = root.getSymbol()?.getDeclarations()[0];
    const given = declaration?.getFirstAncestorByKind(SyntaxKind.Parameter) ?? declaration;
    const known =
        Node.isParameterDeclaration(given) || /^(?:server|mcp|session|ctx|context|extra)$/i.test(root.getText());
    return known ? framework.methods[name] : undefined;
}
