import { ts } from 'ts-morph';
import { runOfficial, type ProjectType } from './official.js';

export interface NewHome {
    module: string;
    name: string;
}

/**
 * Where names of a v1 module are in v2, read off what the official transforms make of an import of them: their map is
 * not exported, and a second one would age. A name that they drop, or a module that they do not know, is missing.
 */
export function movedNames(module: string, names: readonly string[], projectType: ProjectType): Map<string, NewHome> {
    // As a type and under a local name: the one survives as written, the other is how it is found again.
    const probe = names.map(
        (name, index) => `import { ${name} as probe${index} } from '${module}';\ntype Use${index} = probe${index};\n`
    );
    const { text } = runOfficial(probe.join(''), '/probe.ts', { indent: '    ', quote: "'" }, projectType);
    const file = ts.createSourceFile('/probe.ts', text, ts.ScriptTarget.Latest);
    const homes = new Map<string, NewHome>();
    for (const statement of file.statements) {
        if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
        const bindings = statement.importClause?.namedBindings;
        if (!bindings || !ts.isNamedImports(bindings)) continue;
        for (const { name, propertyName } of bindings.elements) {
            homes.set(name.text, { module: statement.moduleSpecifier.text, name: (propertyName ?? name).text });
        }
    }
    return new Map(
        names.flatMap((name, index) => {
            const use = file.statements.find(
                statement => ts.isTypeAliasDeclaration(statement) && statement.name.text === `Use${index}`
            );
            const local = use && ts.isTypeAliasDeclaration(use) ? use.type.getText(file) : `probe${index}`;
            const home = homes.get(local);
            return home && home.module !== module ? [[name, home] as const] : [];
        })
    );
}
