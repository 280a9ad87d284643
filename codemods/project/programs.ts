import { dirname, join } from 'node:path/posix';
import { Node, SyntaxKind, ts } from 'ts-morph';
import type { SourceFile } from 'ts-morph';

interface Home {
    packageOf: (path: string) => string;
    /** Name of each package of the project → its folder. */
    workspace?: ReadonlyMap<string, string>;
}

/** Loads files whose names are not written there. */
const LOADS_BY_PATTERN = /\bimport\.meta\.glob\b|\brequire\.context\b/;

/** A specifier that stands for a folder of its own package where nothing resolves it. */
const ALIAS = /^(?:[@~]?\/|[~#]|src\/)/;

/**
 * Which files of a project may run in one program: those that some file imports both, through whatever is between. Imports
 * are followed over the packages of a workspace; where it is not written what is loaded it may be any file of the package.
 */
export class Programs {
    private readonly byPath: ReadonlyMap<string, SourceFile>;
    private readonly byStem: ReadonlyMap<string, SourceFile>;
    private importers: Map<SourceFile, Set<SourceFile>> | undefined;
    private readonly above = new Map<SourceFile, ReadonlySet<SourceFile>>();

    constructor(
        private readonly files: readonly SourceFile[],
        private readonly home: Home
    ) {
        this.byPath = new Map(files.map(file => [file.getFilePath(), file]));
        this.byStem = new Map(files.map(file => [stemOf(file.getFilePath()), file]));
    }

    /** Whether the code of two nodes may run in one program. */
    together(one: Node, other: Node): boolean {
        const [a, b] = [one.getSourceFile(), other.getSourceFile()];
        if (a === b) return true;
        const theirs = this.programsOf(b);
        return [...this.programsOf(a)].some(file => theirs.has(file));
    }

    /** A file and all that import it, through whatever is between. */
    private programsOf(file: SourceFile): ReadonlySet<SourceFile> {
        const known = this.above.get(file);
        if (known !== undefined) return known;
        this.importers ??= this.findImporters();
        const found = new Set([file]);
        for (const imported of found) for (const importer of this.importers.get(imported) ?? []) found.add(importer);
        this.above.set(file, found);
        return found;
    }

    private findImporters(): Map<SourceFile, Set<SourceFile>> {
        const importers = new Map(this.files.map(file => [file, new Set<SourceFile>()]));
        for (const file of this.files) {
            for (const imported of this.importsOf(file)) importers.get(imported)?.add(file);
        }
        return importers;
    }

    private importsOf(file: SourceFile): SourceFile[] {
        const text = file.getFullText();
        const { importedFiles } = ts.preProcessFile(text, true, true);
        const found = importedFiles.flatMap(({ fileName }) => this.importedBy(file, fileName));
        return LOADS_BY_PATTERN.test(text) || loadsByVariable(file)
            ? [...found, ...this.filesOf(this.home.packageOf(file.getFilePath()))]
            : found;
    }

    private importedBy(file: SourceFile, specifier: string): SourceFile[] {
        const path = file.getFilePath();
        if (/^\.{1,2}(?:\/|$)/.test(specifier)) {
            // Also without an extension, as bundlers take it whatever the compiler says.
            const stem = stemOf(join(dirname(path), specifier));
            const target = this.byStem.get(stem) ?? this.byStem.get(join(stem, 'index'));
            return target === undefined ? [] : [target];
        }
        const resolved = this.resolved(file, specifier);
        if (resolved !== undefined) return [resolved];
        for (const [name, folder] of this.home.workspace ?? []) {
            if (specifier === name || specifier.startsWith(`${name}/`)) return this.filesOf(folder);
        }
        return ALIAS.test(specifier) ? this.filesOf(this.home.packageOf(path)) : [];
    }

    /** The file of this project that the compiler finds. */
    private resolved(file: SourceFile, specifier: string): SourceFile | undefined {
        const literal = file.getImportStringLiterals().find(one => one.getLiteralValue() === specifier);
        const target = literal?.getSymbol()?.getDeclarations().find(Node.isSourceFile)?.getFilePath();
        return target === undefined ? undefined : this.byPath.get(target);
    }

    private filesOf(folder: string): SourceFile[] {
        return this.files.filter(file => this.home.packageOf(file.getFilePath()) === folder);
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

/** A path without the extension, for `./a.js` names the file `a.ts`. */
const stemOf = (path: string): string => path.replace(/\.(?:d\.)?[cm]?[jt]sx?$/, '');
