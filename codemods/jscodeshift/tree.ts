/** A node of an ESTree-like tree, whatever the parser. */
export interface AstNode {
    type: string;
    [property: string]: unknown;
}

export const identifier = (name: string): AstNode => ({ type: 'Identifier', name });
export const string = (value: string): AstNode => ({ type: 'StringLiteral', value });
export const call = (callee: AstNode, args: AstNode[]): AstNode => ({
    type: 'CallExpression',
    callee,
    arguments: args
});

export const isNode = (value: unknown): value is AstNode =>
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Where a node stands: its ancestors from the nearest outwards. */
export type Ancestors = readonly AstNode[];

/** Every node below one, parents before children, in the order of the source. */
export function visit(
    node: AstNode,
    enter: (node: AstNode, ancestors: Ancestors) => void,
    ancestors: Ancestors = []
): void {
    enter(node, ancestors);
    const inner = [node, ...ancestors];
    for (const [name, value] of Object.entries(node)) {
        if (SKIPPED.has(name)) continue;
        for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
            if (isNode(child)) visit(child, enter, inner);
    }
}

/** What parsers hang on nodes that is no child of theirs. */
const SKIPPED: ReadonlySet<string> = new Set([
    'loc',
    'original',
    'tokens',
    'comments',
    'leadingComments',
    'trailingComments',
    'extra',
    'start',
    'end',
    'typeAnnotation',
    'returnType',
    'typeParameters'
]);

/** The value of a string literal. */
export function stringOf(node: AstNode | undefined): string | undefined {
    const isString = node?.type === 'StringLiteral' || node?.type === 'Literal';
    return isString && typeof node.value === 'string' ? node.value : undefined;
}

/** The name of a property or member that is written out. */
export function nameOf(node: unknown): string | undefined {
    if (!isNode(node)) return undefined;
    return node.type === 'Identifier' ? (node.name as string) : stringOf(node);
}

/** The value of a property of an object literal. */
export function propertyOf(object: unknown, name: string): AstNode | undefined {
    if (!isNode(object) || object.type !== 'ObjectExpression') return undefined;
    const found = (object.properties as AstNode[]).find(one => nameOf(one.key) === name);
    return isNode(found?.value) ? found.value : undefined;
}

/** `a.b` of `a.b.c(…)`, as a dotted text; undefined for anything else. */
export function dotted(node: unknown): string | undefined {
    if (!isNode(node)) return undefined;
    if (node.type === 'Identifier') return node.name as string;
    if (node.type !== 'MemberExpression' || node.computed === true) return undefined;
    const object = dotted(node.object);
    return object === undefined ? undefined : `${object}.${nameOf(node.property) ?? ''}`;
}
