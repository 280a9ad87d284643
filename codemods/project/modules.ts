import { Node, SyntaxKind } from 'ts-morph';
import type { Identifier, SourceFile } from 'ts-morph';
import type { ImportedName, ModuleFact } from '../facts/facts.js';
import { spanOf } from './contextParameters.js';
import { stringValue } from './syntax.js';

/** What is needed to add imports to a file and to take out the ones that an edit leaves without a use. */
export function moduleFact(file: SourceFile): ModuleFact {
    const path = file.getFilePath();
    const text = file.getFullText();
    const identifiers = identifiersOf(file);
    const required = requires(file, identifiers);
    const system = usesEsm(file) || required.length === 0 ? 'esm' : 'cjs';
    const imports = system === 'esm' ? imported(file, identifiers) : required.flatMap(({ names }) => names);
    return {
        file: path,
        language: /\.[cm]?tsx?$/.test(path) ? 'ts' : 'js',
        system: /\.cjs$/.test(path) ? 'cjs' : system,
        imports,
        importPosition: importPosition(
            file,
            required.map(({ statement }) => statement)
        ),
        eol: text.includes('\r\n') ? '\r\n' : '\n',
        quote: quoteOf(file),
        semicolon: semicolonOf(file),
        relativeExtension: relativeExtension(file),
        boundNames: [...identifiers.keys()]
    };
}

function usesEsm(file: SourceFile): boolean {
    return (
        file.getImportDeclarations().length > 0 ||
        file.getExportDeclarations().length > 0 ||
        file.getExportAssignments().length > 0 ||
        file.getStatements().some(statement => Node.isExportable(statement) && statement.hasExportKeyword())
    );
}

function imported(file: SourceFile, identifiers: ReadonlyMap<string, Identifier[]>): ImportedName[] {
    return file.getImportDeclarations().flatMap(declaration => {
        const module = declaration.getModuleSpecifierValue();
        const specifiers = declaration.getNamedImports();
        return specifiers.map((specifier): ImportedName => {
            const local = specifier.getAliasNode() ?? specifier.getNameNode();
            return {
                name: specifier.getName(),
                local: local.getText(),
                module,
                typeOnly: declaration.isTypeOnly(),
                item: spanOf(specifier),
                declaration: spanOf(declaration),
                uses: usesOf(local, identifiers)
            };
        });
    });
}

interface Required {
    statement: Node;
    names: ImportedName[];
}

/** `const { A, B: C } = require('x')` at the top level. */
function requires(file: SourceFile, identifiers: ReadonlyMap<string, Identifier[]>): Required[] {
    return file.getVariableStatements().flatMap(statement => {
        const [declaration, ...others] = statement.getDeclarations();
        const call = declaration?.getInitializer();
        if (declaration === undefined || others.length > 0 || !Node.isCallExpression(call)) return [];
        const module = call.getExpression().getText() === 'require' ? stringValue(call.getArguments()[0]) : undefined;
        if (module === undefined) return [];
        const pattern = declaration.getNameNode();
        const elements = Node.isObjectBindingPattern(pattern) ? pattern.getElements() : [];
        const names = elements.map((element): ImportedName => {
            const local = element.getNameNode();
            return {
                name: element.getPropertyNameNode()?.getText() ?? element.getName(),
                local: element.getName(),
                module,
                typeOnly: false,
                item: spanOf(element),
                declaration: spanOf(statement),
                uses: usesOf(local, identifiers)
            };
        });
        return [{ statement, names }];
    });
}

/** The identifiers of a file by name, without those that only name a member. One pass, since most imports need it. */
function identifiersOf(file: SourceFile): Map<string, Identifier[]> {
    const found = new Map<string, Identifier[]>();
    for (const node of file.getDescendantsOfKind(SyntaxKind.Identifier)) {
        if (namesMember(node)) continue;
        const name = node.getText();
        const known = found.get(name);
        if (known === undefined) found.set(name, [node]);
        else known.push(node);
    }
    return found;
}

/** `b` of `a.b`, of `{ b: 1 }`, of `class { b() {} }`: no name that an import could take. */
function namesMember(node: Identifier): boolean {
    const parent = node.getParent();
    if (Node.isPropertyAccessExpression(parent)) return parent.getNameNode() === node;
    if (Node.isQualifiedName(parent)) return parent.getRight() === node;
    if (Node.isBindingElement(parent)) return parent.getPropertyNameNode() === node;
    if (Node.isImportSpecifier(parent)) {
        return parent.getNameNode() === node && parent.getAliasNode() !== undefined;
    }
    return (
        (Node.isPropertyAssignment(parent) ||
            Node.isPropertySignature(parent) ||
            Node.isPropertyDeclaration(parent) ||
            Node.isMethodDeclaration(parent) ||
            Node.isMethodSignature(parent) ||
            Node.isGetAccessorDeclaration(parent) ||
            Node.isSetAccessorDeclaration(parent) ||
            Node.isEnumMember(parent) ||
            Node.isJsxAttribute(parent)) &&
        parent.getNameNode() === node
    );
}

/** Where a name of an import is used: identifiers of that name which nothing nearer declares. */
function usesOf(local: Node, identifiers: ReadonlyMap<string, Identifier[]>): number[] {
    const declared = local.getParent();
    return (identifiers.get(local.getText()) ?? [])
        .filter(use => use !== local && declarationBehind(use) === declared)
        .map(use => use.getStart());
}

function declarationBehind(use: Identifier): Node | undefined {
    const parent = use.getParent();
    const symbol = Node.isShorthandPropertyAssignment(parent) ? parent.getValueSymbol() : use.getSymbol();
    return symbol?.getDeclarations()[0];
}

/** Behind the line of the last import; else behind shebang, leading comments of the file and directives. */
function importPosition(file: SourceFile, required: Node[]): number {
    const text = file.getFullText();
    const last = file.getImportDeclarations().at(-1) ?? required.at(-1);
    if (last !== undefined) return endOfLine(text, last.getEnd());
    const directives = file.getStatements().filter(statement => Node.isExpressionStatement(statement));
    const directive = directives.find(statement => /^['"]use /.test(statement.getText()));
    if (directive !== undefined) return endOfLine(text, directive.getEnd());
    return text.startsWith('#!') ? endOfLine(text, 0) : 0;
}

function endOfLine(text: string, from: number): number {
    const newline = text.indexOf('\n', from);
    return newline < 0 ? text.length : newline + 1;
}

function quoteOf(file: SourceFile): "'" | '"' {
    const literals = file.getDescendantsOfKind(SyntaxKind.StringLiteral).slice(0, 20);
    const double = literals.filter(literal => literal.getText().startsWith('"')).length;
    return double > literals.length / 2 ? '"' : "'";
}

function semicolonOf(file: SourceFile): boolean {
    const statements = file
        .getStatements()
        .filter(one => Node.isVariableStatement(one) || Node.isImportDeclaration(one));
    const ended = statements.filter(statement => statement.getText().endsWith(';')).length;
    return statements.length === 0 || ended * 2 >= statements.length;
}

function relativeExtension(file: SourceFile): string {
    const relative = [
        ...file.getImportDeclarations().map(one => one.getModuleSpecifierValue()),
        ...file.getExportDeclarations().flatMap(one => one.getModuleSpecifierValue() ?? [])
    ].find(specifier => specifier.startsWith('.'));
    if (relative === undefined) return 'unknown';
    return /\.[cm]?[jt]sx?$/.exec(relative)?.[0] ?? '';
}
