import MagicString from 'magic-string';
import { ts } from 'ts-morph';
import { namesModule } from './moduleReference.js';
import { memberUses } from './namespaceUses.js';
import { requireForm, type RequireForm } from './requireForms.js';

/**
 * The official transforms look at `import { Name } from '…'` alone: a server that says `require`, or
 * `import * as types`, keeps its v1 handlers without a word. So a file is shown to them with such imports, which
 * `backToModules` turns back. Lines stay where they are, and so do the line numbers of remarks.
 */
export interface Presented {
    text: string;
    /** The file has `require` and no ES module syntax: every import in it is a `require` in truth. */
    commonJs: boolean;
    /** How the file declares what it requires. */
    keyword: 'const' | 'let' | 'var';
    /** Local name that stands for `namespace.name` → that pair. */
    aliases: Map<string, Member>;
    /** Presented import declaration → the statement that it stands for, for those that nothing changes. */
    statements: Map<string, string>;
}

export interface Member {
    namespace: string;
    name: string;
}

export function presentAsImports(text: string, fileName: string): Presented {
    const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
    const commonJs = !file.statements.some(isModuleSyntax);
    const presented: Presented = { text, commonJs, keyword: 'const', aliases: new Map(), statements: new Map() };
    const edits = new MagicString(text);
    // What each presented import stands for, in order; undefined for one declaration of several in a statement.
    const written: (string | undefined)[] = [];

    for (const statement of file.statements) {
        if (commonJs && ts.isVariableStatement(statement)) {
            written.push(...presentRequires(statement, file, edits, presented));
        }
        if (ts.isImportDeclaration(statement)) presentNamespace(statement, file, edits, presented);
    }
    presented.text = edits.toString();
    if (commonJs) rememberStatements(presented, fileName, written);
    return presented;
}

function rememberStatements(presented: Presented, fileName: string, written: (string | undefined)[]): void {
    const file = ts.createSourceFile(fileName, presented.text, ts.ScriptTarget.Latest);
    file.statements.filter(ts.isImportDeclaration).forEach((statement, index) => {
        const original = written[index];
        if (original !== undefined) presented.statements.set(withoutSemicolon(statement.getText(file)), original);
    });
}

/** `import x = require()` and `export =` are CommonJS; everything else with these keywords is not. */
function isModuleSyntax(statement: ts.Statement): boolean {
    return (
        ts.isImportDeclaration(statement) ||
        ts.isExportDeclaration(statement) ||
        (ts.isExportAssignment(statement) && !statement.isExportEquals) ||
        (ts.canHaveModifiers(statement) &&
            (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    );
}

/** `const { A, B: C } = require('…')`, `const sdk = require('…')`, `const A = require('…').A`; several in one statement. */
function presentRequires(
    statement: ts.VariableStatement,
    file: ts.SourceFile,
    edits: MagicString,
    presented: Presented
): (string | undefined)[] {
    const { declarations, flags } = statement.declarationList;
    const forms = declarations.map(declaration => ({ declaration, form: requireForm(declaration) }));
    // Of several declarations in one statement, only an SDK module is worth a statement of its own.
    const wanted = forms.length === 1 ? forms : forms.filter(({ form }) => form?.module.text.startsWith(SDK_V1));
    if (!wanted.some(({ form }) => form)) return [];
    const keyword = flags & ts.NodeFlags.Const ? 'const' : flags & ts.NodeFlags.Let ? 'let' : 'var';
    presented.keyword = keyword;

    const whole = forms.length === 1 ? withoutSemicolon(statement.getText()) : undefined;
    const written: (string | undefined)[] = [];
    const first = declarations[0];
    if (first) edits.remove(statement.declarationList.getStart(), first.getStart());
    forms.forEach(({ declaration, form }, index) => {
        const next = declarations[index + 1];
        if (form) written.push(...present(declaration, form, file, edits, presented).map(() => whole));
        else edits.appendLeft(declaration.getStart(), `${keyword} `);
        // The comma between two declarations ends a statement now; a comment beside it stays.
        if (next) {
            const gap = file.text.slice(declaration.getEnd(), next.getStart());
            const separator = gap.trim() === ',' ? (gap.match(/\n/g) ?? [' ']).join('') : gap.replace(/^\s*,/, '');
            edits.overwrite(declaration.getEnd(), next.getStart(), ';' + separator);
        }
    });
    return written;
}

/** Returns the clauses of the imports that now stand for the declaration. */
function present(
    declaration: ts.VariableDeclaration,
    form: RequireForm,
    file: ts.SourceFile,
    edits: MagicString,
    presented: Presented
): string[] {
    const start = declaration.getStart();
    const module = form.module.getText();
    if (form.kind === 'named') {
        edits.appendLeft(start, 'import ');
        for (const { propertyName, name } of form.elements) {
            if (propertyName) edits.overwrite(propertyName.getEnd(), name.getStart(), ' as ');
        }
        edits.overwrite(declaration.name.getEnd(), declaration.getEnd(), ` from ${module}`);
        return ['{}'];
    }
    const clauses =
        form.kind === 'member'
            ? [`{ ${form.name === form.local ? form.name : `${form.name} as ${form.local}`} }`]
            : namespaceClauses(form.local, form.module, file, edits, presented);
    edits.overwrite(start, declaration.getEnd(), clauses.map(clause => `import ${clause} from ${module}`).join('; '));
    return clauses;
}

/** `import * as types from '…/types.js'`: the official transforms see no handler in `types.ListToolsRequestSchema`. */
function presentNamespace(
    statement: ts.ImportDeclaration,
    file: ts.SourceFile,
    edits: MagicString,
    presented: Presented
): void {
    const bindings = statement.importClause?.namedBindings;
    const module = statement.moduleSpecifier;
    if (!bindings || !ts.isNamespaceImport(bindings) || !ts.isStringLiteral(module) || !namesModule(module)) return;
    const typeOnly = statement.importClause.phaseModifier === ts.SyntaxKind.TypeKeyword ? 'type ' : '';
    const clauses = namespaceClauses(bindings.name.text, module, file, edits, presented);
    const from = ` from ${module.getText()}`;
    edits.overwrite(
        statement.getStart(),
        module.getEnd(),
        clauses.map(clause => `import ${typeOnly}${clause}${from}`).join('; ')
    );
}

/**
 * Gives each member that is used of a namespace a local name of its own, so that each can move to its own package. The
 * namespace stays beside them where it is also used as a value, and alone where its name means something else elsewhere.
 */
function namespaceClauses(
    namespace: string,
    module: ts.StringLiteral,
    file: ts.SourceFile,
    edits: MagicString,
    { aliases }: Presented
): string[] {
    const whole = `* as ${namespace}`;
    const uses = module.text.startsWith(SDK_V1) ? memberUses(namespace, file) : undefined;
    if (!uses || uses.members.length === 0) return [whole];
    const own = new Map<string, string>();
    for (const { node, name } of uses.members) {
        const alias = own.get(name) ?? freshAlias(`mrtr__${namespace}__${name}`, file.text);
        own.set(name, alias);
        aliases.set(alias, { namespace, name });
        edits.overwrite(node.getStart(), node.getEnd(), alias);
    }
    const members = `{ ${[...own].map(([name, alias]) => `${name} as ${alias}`).join(', ')} }`;
    return uses.asValue ? [whole, members] : [members];
}

function freshAlias(wanted: string, text: string): string {
    return text.includes(wanted) ? freshAlias(`${wanted}_`, text) : wanted;
}

const SDK_V1 = '@modelcontextprotocol/sdk';

export const withoutSemicolon = (statement: string) => statement.replace(/;\s*$/, '');
