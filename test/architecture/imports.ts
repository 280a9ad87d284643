import ts from 'typescript';

/** What one file reaches for: module specifiers of every form, types included, and the process's own surface. */
export interface Uses {
    specifiers: string[];
    /** `console.log`, `process.exit`, … */
    globals: string[];
}

/** Read from TypeScript's own syntax tree, so that comments, strings and re-exports are what they are. */
export function usesOf(path: string, text: string): Uses {
    const uses: Uses = { specifiers: [], globals: [] };
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), uses);
    return uses;
}

function visit(node: ts.Node, uses: Uses): void {
    const specifier = specifierOf(node);
    if (specifier && ts.isStringLiteralLike(specifier)) uses.specifiers.push(specifier.text);
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
        uses.globals.push(`${node.expression.text}.${node.name.text}`);
    }
    ts.forEachChild(node, child => visit(child, uses));
}

function specifierOf(node: ts.Node): ts.Node | undefined {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
    if (ts.isExternalModuleReference(node)) return node.expression;
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
    if (!ts.isCallExpression(node)) return undefined;
    const dynamic = node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const required = ts.isIdentifier(node.expression) && node.expression.text === 'require';
    return dynamic || required ? node.arguments[0] : undefined;
}
