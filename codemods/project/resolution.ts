import { extname, join } from 'node:path';
import { ts, type ResolutionHostFactory } from 'ts-morph';
import { ownTypes, packageRoot, packageSource } from './packages.js';

/** A file that need not exist: resolution only looks at its folder. */
const fromHere = join(packageRoot, 'resolve-from-here.ts');

/**
 * Module resolution of the user's project with *our* copies of the SDK, zod, `@types/node` and mcp-mrtr. Everything
 * else, and every import inside node_modules, resolves as TypeScript does it.
 */
export function resolutionWithOurPackages(
    zod3: ReadonlySet<string>,
    workspace: ReadonlyMap<string, string>
): ResolutionHostFactory {
    return (host, getOptions) => {
        const resolve = (name: string, from: string, mode: ts.ResolutionMode) =>
            ts.resolveModuleName(name, from, getOptions(), host, undefined, undefined, mode).resolvedModule;

        return {
            resolveModuleNames: (names, containingFile, _reused, _redirected, options, sourceFile) =>
                names.map((name, index) => {
                    if (index === 0 && sourceFile) tellModuleFormat(sourceFile, host, options);
                    const mode = sourceFile && ts.getModeForResolutionAtIndex(sourceFile, index, options);
                    // SDK v2 means *its* zod 4 whatever the project uses.
                    if (containingFile.includes('/node_modules/')) return resolve(name, containingFile, mode);
                    const member = workspaceCandidates(name, workspace)
                        .map(candidate => resolve(candidate.name, candidate.from, mode))
                        .find(found => found !== undefined);
                    if (member) return member;
                    const source = packageSource(name, zod3.has(containingFile) ? 3 : 4);
                    if (source.kind === 'file') return sourceModule(source.path);
                    if (source.kind === 'ours')
                        return (
                            resolve(source.name, fromHere, mode) ??
                            resolve(name, containingFile, mode) ??
                            ownModule(name)
                        );
                    return resolve(name, containingFile, mode);
                }),

            resolveTypeReferenceDirectives: (references, containingFile, redirected, options, mode) =>
                references.map(reference => {
                    const name = typeof reference === 'string' ? reference : reference.fileName;
                    // Two copies of @types/node in one program declare everything twice.
                    const from = name === 'node' ? fromHere : containingFile;
                    return ts.resolveTypeReferenceDirective(
                        name,
                        from,
                        options,
                        host,
                        redirected,
                        undefined,
                        typeof reference === 'string' ? mode : (reference.resolutionMode ?? mode)
                    ).resolvedTypeReferenceDirective;
                })
        };
    };
}

/**
 * ts-morph makes source files without a module format. Under `nodenext` the compiler would take each of them for
 * CommonJS: `import.meta` and top-level await would be errors, and packages that are only ES modules would not resolve.
 */
function tellModuleFormat(file: ts.SourceFile, host: ts.ModuleResolutionHost, options: ts.CompilerOptions): void {
    file.impliedNodeFormat ??= ts.getImpliedNodeFormatForFile(file.fileName, undefined, host, options);
}

/**
 * Where the source of a workspace package may be. Its package.json names built files, which need not exist, and the link
 * to it in node_modules neither.
 */
function workspaceCandidates(name: string, workspace: ReadonlyMap<string, string>): { name: string; from: string }[] {
    for (const [packageName, folder] of workspace) {
        if (name !== packageName && !name.startsWith(packageName + '/')) continue;
        const from = join(folder, 'resolve-from-here.ts');
        const subpath = name.slice(packageName.length + 1).replace(/^(?:dist|build|lib|out)\//, '') || 'index';
        return [`./src/${subpath}`, `./${subpath}`, `./lib/${subpath}`]
            .flatMap(path => [path, `${path}.js`, `${path}/index.js`])
            .map(path => ({ name: path, from }));
    }
    return [];
}

function ownModule(name: string): ts.ResolvedModuleFull | undefined {
    const path = ownTypes(name);
    return path === undefined ? undefined : sourceModule(path);
}

function sourceModule(path: string): ts.ResolvedModuleFull {
    const extension = path.endsWith(ts.Extension.Dts) ? ts.Extension.Dts : extname(path);
    return { resolvedFileName: path, extension, isExternalLibraryImport: false };
}
