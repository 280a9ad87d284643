import { dirname, join } from 'node:path/posix';
import { Node, SyntaxKind, ts } from 'ts-morph';
import type { SourceFile } from 'ts-morph';
import { CAPABILITIES_GETTER, PUSH_METHODS } from '../facts/surface.js';
import { concernsAny } from '../files/concerns.js';

export interface ProgramsHome {
    packageOf: (path: string) => string;
    /** Name of each package of the project → its folder. */
    workspace?: ReadonlyMap<string, string>;
    /** Text of a file that is not among those that are migrated. */
    readFile?: (path: string) => string | undefined;
}

/** Loads files whose names are not written there. */
const LOADS_BY_PATTERN = /\bimport\.meta\.glob\b|\brequire\.context\b/;

/** A specifier that stands for a folder of its own package where nothing resolves it. */
const ALIAS = /^(?:[@~]?\/|[~#]|src\/)/;

/** How a file is found whose extension is another one than the import says, or none. */
const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

const ASKS_OR_CHECKS: readonly string[] = [...Object.keys(PUSH_METHODS), 'sendRequest', CAPABILITIES_GETTER];

/**
 * Which files of a project may run in one program: those that some file imports both, through whatever is between. Imports
 * are followed over the packages of a workspace and through files that are not migrated themselves; where it is not written
 * what is loaded it may be any file of the package.
 */
export class Programs {
    private readonly own: ReadonlyMap<string, SourceFile>;
    private readonly imports = new Map<string, ReadonlySet<string>>();
    private importers: Map<string, Set<string>> | undefined;
    private readonly above = new Map<string, ReadonlySet<string>>();

    /** @param files those that are migrated. */
    constructor(
        files: readonly SourceFile[],
        private readonly home: ProgramsHome
    ) {
        this.own = new Map(files.map(file => [file.getFilePath(), file]));
    }

    /** Whether the code of two nodes may run in one program. */
    together(one: Node, other: Node): boolean {
        const [a, b] = [one, other].map(node => node.getSourceFile().getFilePath());
        if (a === undefined || b === undefined || a === b) return true;
        const theirs = this.programsOf(b);
        return [...this.programsOf(a)].some(path => theirs.has(path));
    }

    /** A file that may run in one program with another, is not migrated, and asks or checks whether it may. */
    notMigratedWith(file: SourceFile): string | undefined {
        const open = [...this.programsOf(file.getFilePath())];
        const seen = new Set(open);
        for (let path = open.pop(); path !== undefined; path = open.pop()) {
            if (!this.own.has(path) && concernsAny(this.home.readFile?.(path) ?? '', ASKS_OR_CHECKS)) return path;
            for (const imported of this.imports.get(path) ?? []) {
                if (seen.has(imported)) continue;
                seen.add(imported);
                open.push(imported);
            }
        }
        return undefined;
    }

    /** A file and all that import it, through whatever is between. */
    private programsOf(path: string): ReadonlySet<string> {
        const known = this.above.get(path);
        if (known !== undefined) return known;
        this.importers ??= this.findImporters();
        const found = new Set([path]);
        for (const imported of found) for (const importer of this.importers.get(imported) ?? []) found.add(importer);
        this.above.set(path, found);
        return found;
    }

    private findImporters(): Map<string, Set<string>> {
        const importers = new Map<string, Set<string>>();
        const open = [...this.own.keys()];
        for (let path = open.pop(); path !== undefined; path = open.pop()) {
            if (this.imports.has(path)) continue;
            const imported = new Set(this.importsOf(path));
            this.imports.set(path, imported);
            for (const one of imported) importers.set(one, (importers.get(one) ?? new Set()).add(path));
            open.push(...imported);
        }
        return importers;
    }

    private importsOf(path: string): string[] {
        const file = this.own.get(path);
        const text = file?.getFullText() ?? this.home.readFile?.(path) ?? '';
        const { importedFiles } = ts.preProcessFile(text, true, true);
        const found = importedFiles.flatMap(({ fileName }) => this.importedBy(path, fileName));
        const open = LOADS_BY_PATTERN.test(text) || (file !== undefined && loadsByVariable(file));
        return open ? [...found, ...this.filesOf(this.home.packageOf(path))] : found;
    }

    private importedBy(path: string, specifier: string): string[] {
        if (/^\.{1,2}(?:\/|$)/.test(specifier)) return this.atPath(join(dirname(path), specifier));
        const resolved = this.resolved(path, specifier);
        if (resolved !== undefined) return resolved.includes('/node_modules/') ? [] : [resolved];
        for (const [name, folder] of this.home.workspace ?? []) {
            if (specifier === name || specifier.startsWith(`${name}/`)) return this.filesOf(folder);
        }
        return ALIAS.test(specifier) ? this.filesOf(this.home.packageOf(path)) : [];
    }

    /** Also without an extension, as bundlers take it whatever the compiler says. */
    private atPath(path: string): string[] {
        const stem = path.replace(/\.(?:d\.)?[cm]?[jt]sx?$/, '');
        const found = [stem, join(stem, 'index')]
            .flatMap(one => EXTENSIONS.map(extension => one + extension))
            .find(one => this.own.has(one) || this.home.readFile?.(one) !== undefined);
        return found === undefined ? [] : [found];
    }

    /** The file that the compiler finds. */
    private resolved(path: string, specifier: string): string | undefined {
        const literals = this.own.get(path)?.getImportStringLiterals() ?? [];
        const literal = literals.find(one => one.getLiteralValue() === specifier);
        const target = literal
            ?.getSymbol()
            ?.getDeclarations()
            .find(one => Node.isSourceFile(one));
        return target?.getSourceFile().getFilePath();
    }

    private filesOf(folder: string): string[] {
        return [...this.own.keys()].filter(path => this.home.packageOf(path) === folder);
    }
}

/** `import(path)` and `require(path)` of something that is not written out. */
function loadsByVariable(file: SourceFile): boolean {
    if (!/\b(?:import|require)\s*\(/.test(file.getFullText())) return false;
    return file.getDescendantsOfKind(SyntaxKind.CallExpression).some(call => {
        const callee = call.getExpression();
        if (callee.getKind() !== SyntaxKind.ImportKeyword && callee.getText() !== 'require') return false;
        const [specifier] = call.getArguments();
        return !Node.isStringLiteral(specifier) && !Node.isNoSubstitutionTemplateLiteral(specifier);
    });
}
