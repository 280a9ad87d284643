import { identifier, string, stringOf } from './tree.js';
import type { AstNode } from './tree.js';

/** Adds names to the import of a module, behind the other imports where there is none yet. */
export function addImports(program: AstNode, module: string, names: readonly string[]): void {
    const body = program.body as AstNode[];
    const imports = body.filter(({ type }) => type === 'ImportDeclaration');
    const specifiers = names.map(name => ({
        type: 'ImportSpecifier',
        imported: identifier(name),
        local: identifier(name)
    }));
    const present = imports.find(one => stringOf(one.source as AstNode) === module && one.importKind !== 'type');
    if (present !== undefined) {
        const known = present.specifiers as AstNode[];
        const has = (name: string): boolean => known.some(one => (one.local as AstNode).name === name);
        known.push(...specifiers.filter((_, index) => !has(names[index] ?? '')));
        return;
    }
    const last = imports.at(-1);
    const at = last === undefined ? 0 : body.indexOf(last) + 1;
    body.splice(at, 0, { type: 'ImportDeclaration', specifiers, source: string(module) });
}
