import { ts } from 'ts-morph';

/** The literal in `require('…')`; undefined for any other expression. */
export function isRequireOf(node: ts.Expression | undefined): ts.StringLiteral | undefined {
    if (!node || !ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
    const argument = node.arguments[0];
    return node.expression.text === 'require' && argument && ts.isStringLiteral(argument) ? argument : undefined;
}

/** Modules whose bindings the official transforms follow: either SDK, and zod, into whose `z` they wrap raw shapes. */
export function namesModule({ text }: ts.StringLiteral): boolean {
    return text.startsWith('@modelcontextprotocol/') || text === 'zod' || text.startsWith('zod/');
}

/** `@scope/name/sub` → `@scope/name`, `name/sub` → `name`; undefined for relative paths and Node's own modules. */
export function packageOf(specifier: string): string | undefined {
    if (/^(?:\.|\/|node:|#)/.test(specifier)) return undefined;
    return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}
