/** Never sources, wherever they stand. */
const ALWAYS = new Set(['node_modules', 'bower_components']);

/** Output folders, where tools put them: beside a package.json. `src/build/` is somebody's code. */
const BESIDE_MANIFEST = new Set(['dist', 'build', 'out', 'output', 'coverage', 'esm', 'cjs', 'lib-cjs', 'lib-esm']);

/**
 * Whether a folder usually holds what no person wrote: installed packages, build output, the caches in dotted folders.
 * `besideManifest`: its parent is the folder of a package, or the folder that was asked for.
 */
export function isGenerated(name: string, besideManifest: boolean): boolean {
    return ALWAYS.has(name) || name.startsWith('.') || (besideManifest && BESIDE_MANIFEST.has(name));
}
