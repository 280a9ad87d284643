import MagicString from 'magic-string';
import { ts } from 'ts-morph';
import { nameNamespaces, type MovedMember } from './nameNamespaces.js';
import { withoutSemicolon, type Member, type Presented } from './presentAsImports.js';

/**
 * The way back from `presentAsImports`: `require` again where the file had it, and `namespace.name` for the names that
 * stood for it.
 */
export function backToModules(text: string, fileName: string, presented: Presented): string {
    const { aliases, commonJs } = presented;
    if (!commonJs && aliases.size === 0) return text;
    const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
    const imports = file.statements.filter(ts.isImportDeclaration).map(readImport);
    const moved = movedMembers(imports, aliases);
    const whole = new Map(
        imports.flatMap(({ namespace, module }) => (namespace ? [[namespace, module] as const] : []))
    );
    const namespaceOf = nameNamespaces(moved.values(), whole, text);
    const edits = new MagicString(text);

    for (const imported of imports) {
        const members = imported.named.flatMap(({ name }) => moved.get(name.text) ?? []);
        const statement = imported.statement.getText();
        const end = statement.endsWith(';') ? ';' : '';
        const written = commonJs ? presented.statements.get(withoutSemicolon(statement)) : undefined;
        const lines =
            written === undefined
                ? statementsFor(imported, {
                      // A namespace that is also imported whole has a statement of its own.
                      namespaces: [...new Set(members.map(namespaceOf))].filter(name => !whole.has(name)),
                      names: imported.named.filter(({ name }) => !moved.has(name.text)),
                      keyword: commonJs ? presented.keyword : undefined
                  })
                : [written];
        const { statement: node } = imported;
        edits.overwrite(node.getStart(), node.getEnd(), lines.map(line => line + end).join('\n'));
    }
    replaceAliases(file, edits, alias => {
        const member = moved.get(alias);
        return member && `${namespaceOf(member)}.${member.name}`;
    });
    return edits.toString();
}

/** In a message, the names that stood for members are shown as the user wrote them. */
export function asWritten(message: string, { aliases }: Presented): string {
    let text = message;
    for (const [alias, { namespace, name }] of aliases) text = text.replaceAll(alias, `${namespace}.${name}`);
    return text;
}

interface Import {
    statement: ts.ImportDeclaration;
    module: string;
    /** The module's name with its quotes, as written. */
    literal: string;
    typeOnly: boolean;
    namespace: string | undefined;
    named: readonly ts.ImportSpecifier[];
}

function readImport(statement: ts.ImportDeclaration): Import {
    const { importClause, moduleSpecifier } = statement;
    const bindings = importClause?.namedBindings;
    return {
        statement,
        module: ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '',
        literal: moduleSpecifier.getText(),
        typeOnly: importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
        namespace: bindings && ts.isNamespaceImport(bindings) ? bindings.name.text : undefined,
        named: bindings && ts.isNamedImports(bindings) ? bindings.elements : []
    };
}

/** Alias → where its import says that the member is now, and under which name. */
function movedMembers(imports: readonly Import[], aliases: ReadonlyMap<string, Member>): Map<string, MovedMember> {
    const moved = new Map<string, MovedMember>();
    for (const { module, named } of imports) {
        for (const { name, propertyName } of named) {
            const member = aliases.get(name.text);
            if (member)
                moved.set(name.text, { namespace: member.namespace, name: (propertyName ?? name).text, module });
        }
    }
    return moved;
}

interface Parts {
    namespaces: string[];
    names: readonly ts.ImportSpecifier[];
    /** Of a `require`; absent for an import. */
    keyword: string | undefined;
}

/** One line for each binding form, without semicolons. */
function statementsFor({ statement, module, literal, typeOnly, namespace, named }: Import, parts: Parts): string[] {
    const { namespaces, names, keyword } = parts;
    const untouched = keyword === undefined && names.length === named.length;
    if (untouched) return [withoutSemicolon(statement.getText())];

    const wholes = namespace ? [namespace, ...namespaces] : namespaces;
    if (keyword !== undefined) {
        if (wholes.length === 0 && names.length === 0 && named.length === 0) return [`require(${literal})`];
        return [
            ...wholes.map(name => `${keyword} ${name} = require(${literal})`),
            ...(names.length > 0 ? [`${keyword} { ${names.map(asProperty).join(', ')} } = require(${literal})`] : [])
        ];
    }
    const start = typeOnly && module ? 'import type' : 'import';
    return [
        ...wholes.map(name => `${start} * as ${name} from ${literal}`),
        ...(names.length > 0 ? [`${start} { ${names.map(name => name.getText()).join(', ')} } from ${literal}`] : [])
    ];
}

function asProperty({ name, propertyName }: ts.ImportSpecifier): string {
    return propertyName ? `${propertyName.text}: ${name.text}` : name.text;
}

function replaceAliases(
    file: ts.SourceFile,
    edits: MagicString,
    replacement: (alias: string) => string | undefined
): void {
    const visit = (node: ts.Node): void => {
        if (ts.isImportDeclaration(node)) return;
        if (ts.isIdentifier(node)) {
            const text = replacement(node.text);
            if (text !== undefined) edits.overwrite(node.getStart(), node.getEnd(), text);
        }
        ts.forEachChild(node, visit);
    };
    visit(file);
}
