import MagicString from 'magic-string';
import { ts } from 'ts-morph';
import { isRequireOf } from './moduleReference.js';
import { movedNames, type NewHome } from './movedNames.js';
import type { ProjectType, Remark } from './official.js';

const SDK_V1 = '@modelcontextprotocol/sdk';

/**
 * What still names SDK v1 after the official transforms: `require` inside functions or in files with ES modules, and
 * types written `import('…').Name`, in JSDoc too. Each is rewritten where it stands, or remarked on.
 */
export function upgradeStrayReferences(
    text: string,
    fileName: string,
    projectType: ProjectType
): { text: string; remarks: Remark[] } {
    if (!text.includes(SDK_V1)) return { text, remarks: [] };
    const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
    const edits = new MagicString(text);
    const remarks: Remark[] = [];
    const visit = (node: ts.Node): void => {
        const module = ts.isCallExpression(node) ? isRequireOf(node) : undefined;
        if (module?.text.startsWith(SDK_V1) && !upgradeRequire(node, module, file, edits, projectType)) {
            const { line } = file.getLineAndCharacterOfPosition(node.getStart());
            remarks.push({
                level: 'warning',
                line: line + 1,
                message: `${node.getText()} could not be rewritten: name what you need of it in a destructuring, or require the v2 package by hand.`
            });
        }
        ts.forEachChild(node, visit);
    };
    visit(file);
    upgradeImportTypes(text, edits, projectType);
    return { text: edits.toString(), remarks };
}

function upgradeRequire(
    call: ts.Node,
    module: ts.StringLiteral,
    file: ts.SourceFile,
    edits: MagicString,
    projectType: ProjectType
): boolean {
    const { parent } = call;
    if (ts.isPropertyAccessExpression(parent)) {
        const home = movedNames(module.text, [parent.name.text], projectType).get(parent.name.text);
        if (!home) return false;
        replaceLiteral(module, home.module, edits);
        if (home.name !== parent.name.text) edits.overwrite(parent.name.getStart(), parent.name.getEnd(), home.name);
        return true;
    }
    if (!ts.isVariableDeclaration(parent) || !ts.isObjectBindingPattern(parent.name)) return false;
    return upgradeDestructuring(parent, parent.name.elements, module, edits, projectType);
}

/** `const { A, B } = require('…')` → a declaration for each v2 package, in the same statement. */
function upgradeDestructuring(
    declaration: ts.VariableDeclaration,
    elements: readonly ts.BindingElement[],
    module: ts.StringLiteral,
    edits: MagicString,
    projectType: ProjectType
): boolean {
    const names = elements.map(({ name, propertyName }) => propertyName ?? name);
    if (!names.every(ts.isIdentifier) || elements.some(({ dotDotDotToken }) => dotDotDotToken)) return false;
    const homes = movedNames(
        module.text,
        names.map(({ text }) => text),
        projectType
    );
    const byModule = new Map<string, string[]>();
    for (const [index, element] of elements.entries()) {
        const home = homes.get(names[index]?.text ?? '');
        if (!home) return false;
        byModule.set(home.module, [...(byModule.get(home.module) ?? []), renamed(element, home)]);
    }
    const quote = module.getText().charAt(0);
    edits.overwrite(
        declaration.getStart(),
        declaration.getEnd(),
        [...byModule]
            .map(([target, parts]) => `{ ${parts.join(', ')} } = require(${quote}${target}${quote})`)
            .join(', ')
    );
    return true;
}

/** The local name stays, whatever v2 calls it. */
function renamed({ name, initializer }: ts.BindingElement, home: NewHome): string {
    const local = name.getText();
    const fallback = initializer ? ` = ${initializer.getText()}` : '';
    return (home.name === local ? local : `${home.name}: ${local}`) + fallback;
}

function replaceLiteral(literal: ts.StringLiteral, module: string, edits: MagicString): void {
    edits.overwrite(literal.getStart() + 1, literal.getEnd() - 1, module);
}

const IMPORT_TYPE =
    /import\((['"])(@modelcontextprotocol\/sdk[^'"]*)\1\)\.(?!then\b|catch\b|finally\b)([A-Za-z_$][\w$]*)/g;

/** Over the text: in JavaScript these stand in comments, which the compiler's tree does not hold in one form. */
function upgradeImportTypes(text: string, edits: MagicString, projectType: ProjectType): void {
    for (const { 0: written, 1: quote = "'", 2: module = '', 3: name = '', index } of text.matchAll(IMPORT_TYPE)) {
        const home = movedNames(module, [name], projectType).get(name);
        if (home) edits.overwrite(index, index + written.length, `import(${quote}${home.module}${quote}).${home.name}`);
    }
}
