import { ts } from 'ts-morph';

export interface NamespaceUses {
    members: { node: ts.Node; name: string }[];
    /** It is also passed on, destructured, exported. */
    asValue: boolean;
}

/** Every use of a top-level name; undefined where the name is declared twice, for some uses are of the other one. */
export function memberUses(namespace: string, file: ts.SourceFile): NamespaceUses | undefined {
    const uses: NamespaceUses = { members: [], asValue: false };
    let declarations = 0;
    const visit = (node: ts.Node): void => {
        if (ts.isIdentifier(node) && node.text === namespace) {
            const { parent } = node;
            if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
                uses.members.push({ node: parent, name: parent.name.text });
            } else if (ts.isQualifiedName(parent) && parent.left === node) {
                uses.members.push({ node: parent, name: parent.right.text });
            } else if (isDeclarationName(node)) declarations++;
            else if (!isPropertyName(node)) uses.asValue = true;
        }
        ts.forEachChild(node, visit);
    };
    visit(file);
    return declarations > 1 ? undefined : uses;
}

function isDeclarationName(node: ts.Identifier): boolean {
    const { parent } = node;
    return (
        (ts.isVariableDeclaration(parent) ||
            ts.isBindingElement(parent) ||
            ts.isParameter(parent) ||
            ts.isNamespaceImport(parent) ||
            ts.isFunctionDeclaration(parent) ||
            ts.isFunctionExpression(parent) ||
            ts.isClassDeclaration(parent)) &&
        parent.name === node
    );
}

/** `{ types: 1 }`, `x.types`: the word, not the binding. A shorthand `{ types }` is the binding. */
function isPropertyName(node: ts.Identifier): boolean {
    const { parent } = node;
    return (
        (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        (ts.isQualifiedName(parent) && parent.right === node) ||
        ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertySignature(parent)) &&
            parent.name === node) ||
        (ts.isBindingElement(parent) && parent.propertyName === node)
    );
}
