import { isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import type { Discovery } from './discover.js';

const IMPORTED = /(?:from|import|require)\s*\(?\s*['"]([^'"\n]+)['"]/g;

/**
 * Who imports whom, read from the text: names of the workspace's packages and aliases lead where their last part says. What
 * is Node's or a declared dependency leads out of the project: by its last part alone, every import of the SDK's
 * `server/mcp.js` would be one of the project's own `mcp.ts`.
 */
export class Importers {
    private byTarget: Map<string, string[]> | undefined;
    private readonly packageNames: ReadonlyMap<string, string>;
    private readonly externals: ReadonlySet<string>;

    constructor(
        private readonly texts: ReadonlyMap<string, string>,
        { packages, externals }: Pick<Discovery, 'packages' | 'externals'>
    ) {
        this.externals = externals;
        this.packageNames = new Map([...packages].map(([name, folder]) => [folder, name]));
    }

    /** The files that import a file. */
    of(path: string): string[] {
        const names = [targetOf(path, path), stemOf(path), ...packagesAround(path, this.packageNames).map(stemOf)];
        this.byTarget ??= this.readImports();
        return names.flatMap(name => this.byTarget?.get(name) ?? []);
    }

    /** The files that import one of `start`, and those that import these, until no more is found. */
    above(start: Iterable<string>): Set<string> {
        const open = [...start];
        const seen = new Set(open);
        const found = new Set<string>();
        for (let path = open.pop(); path !== undefined; path = open.pop()) {
            for (const importer of this.of(path)) {
                found.add(importer);
                if (seen.has(importer)) continue;
                seen.add(importer);
                open.push(importer);
            }
        }
        return found;
    }

    private readImports(): Map<string, string[]> {
        const byTarget = new Map<string, string[]>();
        for (const [path, text] of this.texts) {
            for (const [, specifier = ''] of text.matchAll(IMPORTED)) {
                if (this.leadsOut(specifier)) continue;
                const target = targetOf(specifier, path);
                const importers = byTarget.get(target);
                if (importers === undefined) byTarget.set(target, [path]);
                else importers.push(path);
            }
        }
        return byTarget;
    }

    private leadsOut(specifier: string): boolean {
        const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
        return isBuiltin(specifier) || this.externals.has(name);
    }
}

/**
 * What an import names: a path without extension (and without `/index`), or, for the name of a package or an alias of
 * which only the compiler knows where it leads, its last part.
 */
function targetOf(specifier: string, from: string): string {
    if (!specifier.startsWith('.') && specifier !== from) return stemOf(specifier);
    const path = specifier === from ? from : resolve(dirname(from), specifier);
    return path.replace(EXTENSION, '').replace(/[\\/]index$/, '');
}

const EXTENSION = /\.[cm]?[jt]sx?$/;

/** The last part of what a file imports: `gardener` for `@/lib/gardener.js`, `lib` for `lib/index.js`. */
function stemOf(specifier: string): string {
    const parts = specifier.replace(EXTENSION, '').split(/[\\/]/);
    const last = parts.at(-1) ?? '';
    return last === 'index' ? (parts.at(-2) ?? '') : last;
}

function packagesAround(path: string, names: ReadonlyMap<string, string>): string[] {
    const found: string[] = [];
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
        const name = names.get(folder);
        if (name !== undefined) found.push(name);
    }
    return found;
}
