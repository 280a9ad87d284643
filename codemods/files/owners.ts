import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
    name?: unknown;
    dependencies?: unknown;
    devDependencies?: unknown;
    peerDependencies?: unknown;
    optionalDependencies?: unknown;
    workspaces?: unknown;
}

/** Which package.json and tsconfig.json a folder belongs to. Remembers what it has read. */
export class Owners {
    readonly #manifests = new Map<string, string | undefined>();
    readonly #tsconfigs = new Map<string, string | undefined>();

    /** Absolute path of the nearest package.json that names or declares something; `{ "type": "module" }` alone does not. */
    manifestOf(folder: string): string | undefined {
        return nearest(folder, this.#manifests, at => {
            const path = join(at, 'package.json');
            const manifest = readManifest(path);
            return (manifest?.name ?? manifest?.dependencies ?? manifest?.devDependencies ?? manifest?.workspaces)
                ? path
                : undefined;
        });
    }

    tsconfigOf(folder: string): string | undefined {
        return nearest(folder, this.#tsconfigs, at => {
            const path = join(at, 'tsconfig.json');
            return existsSync(path) ? path : undefined;
        });
    }

    /** Package name → folder. */
    packages(manifests: readonly string[]): Map<string, string> {
        const found = new Map<string, string>();
        for (const path of manifests) {
            const name = readManifest(path)?.name;
            if (typeof name === 'string') found.set(name, dirname(path));
        }
        return found;
    }

    /** Names of packages that one of these declares and none of them is: their sources are not the project's. */
    externals(manifests: readonly string[]): Set<string> {
        const declared = manifests.flatMap(path => {
            const { dependencies, devDependencies, peerDependencies, optionalDependencies } = readManifest(path) ?? {};
            return [dependencies, devDependencies, peerDependencies, optionalDependencies].flatMap(namesIn);
        });
        const own = this.packages(manifests);
        return new Set(declared.filter(name => !own.has(name)));
    }
}

const namesIn = (section: unknown): string[] =>
    typeof section === 'object' && section !== null ? Object.keys(section) : [];

/** Undefined also for one that is no JSON: the stage that edits it says so. */
function readManifest(path: string): Manifest | undefined {
    try {
        const value: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
        return typeof value === 'object' && value !== null ? value : undefined;
    } catch {
        return undefined;
    }
}

/** From a folder up to the root of the file system, or to the top of its git repository. */
function nearest(
    folder: string,
    known: Map<string, string | undefined>,
    look: (folder: string) => string | undefined
): string | undefined {
    if (known.has(folder)) return known.get(folder);
    const above = dirname(folder);
    const isTop = above === folder || existsSync(join(folder, '.git'));
    const found = look(folder) ?? (isTop ? undefined : nearest(above, known, look));
    known.set(folder, found);
    return found;
}
