import { statSync, type Stats } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { gitFiles } from './gitFiles.js';
import { Owners } from './owners.js';
import { reasonOf } from './readSource.js';
import { walk } from './walk.js';

export interface DiscoverInput {
    /** Absolute path. */
    cwd: string;
    /** Files and folders, absolute or relative to `cwd`; none: `cwd`. */
    paths?: readonly string[];
}

export interface SourceFile {
    /** Relative to `cwd`, POSIX; starts with `../` for a path outside of it. */
    path: string;
    absolutePath: string;
    /** Absolute path of the package.json that declares the file's packages. */
    manifest?: string;
    /** Absolute path of the nearest tsconfig.json above the file. */
    tsconfig?: string;
}

export interface Discovery {
    /** In order of `path`. */
    files: SourceFile[];
    /** Absolute paths of the package.json files that own a source file, in order. */
    manifests: string[];
    /** Name of each of these packages → its folder. */
    packages: Map<string, string>;
    /** Names of packages that these declare, and none of them is. */
    externals: Set<string>;
    /** Folders that could not be listed, relative to `cwd` → why. */
    unreadable: Map<string, string>;
}

/** A path that was asked for is not there. */
export class NoSuchPathError extends Error {
    constructor(
        readonly path: string,
        reason: string
    ) {
        super(`${path}: ${reason}. Give a file or folder that exists.`);
        this.name = 'NoSuchPathError';
    }
}

/** No package below the paths is called so. */
export class NoSuchPackageError extends Error {
    constructor(name: string, known: readonly string[]) {
        const names = known.length === 0 ? 'there is none' : `there are ${known.join(', ')}`;
        super(`No package is called ${name}: ${names}.`);
        this.name = 'NoSuchPackageError';
    }
}

/** The files of one package. @throws NoSuchPackageError */
export function ofPackage(discovery: Discovery, name: string): Discovery {
    const folder = discovery.packages.get(name);
    if (folder === undefined) throw new NoSuchPackageError(name, [...discovery.packages.keys()].sort());
    const files = discovery.files.filter(({ manifest }) => manifest !== undefined && dirname(manifest) === folder);
    return { ...discovery, files, manifests: discovery.manifests.filter(path => dirname(path) === folder) };
}

const SOURCE = /\.[cm]?[jt]sx?$/;
const DECLARATION = /\.d\.[cm]?ts$/;

/**
 * The source files under the given paths. In a git repository these are the tracked and the untracked files that git does
 * not ignore; elsewhere every file. What is usually generated is left out, unless it was asked for by name: what decides
 * is where a folder stands below the path that was given, never what stands above it.
 * @throws NoSuchPathError
 */
export function discover({ cwd, paths = [] }: DiscoverInput): Discovery {
    const found = new Set<string>();
    const unreadable = new Map<string, string>();
    for (const path of paths.length > 0 ? paths : ['.']) {
        const target = resolve(cwd, path);
        if (statOf(target, path).isDirectory()) {
            const walked = gitFiles(target) ?? walk(target);
            for (const file of walked.files) if (isSource(file)) found.add(file);
            for (const [folder, why] of walked.unreadable) unreadable.set(reportPath(cwd, folder), why);
        } else if (isSource(target)) found.add(target);
    }
    const owners = new Owners();
    const files = [...found]
        .map(absolutePath => sourceFile(cwd, absolutePath, owners))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    const manifests = [...new Set(files.flatMap(({ manifest }) => manifest ?? []))].sort();
    return {
        files,
        manifests,
        packages: owners.packages(manifests),
        externals: owners.externals(manifests),
        unreadable
    };
}

/** A path as reports print it: relative to `cwd`, with slashes. */
export function reportPath(cwd: string, absolutePath: string): string {
    return relative(cwd, absolutePath).split(sep).join('/');
}

function statOf(target: string, path: string): Stats {
    try {
        return statSync(target);
    } catch (error) {
        throw new NoSuchPathError(path, reasonOf(error));
    }
}

function isSource(path: string): boolean {
    return SOURCE.test(path) && !DECLARATION.test(path);
}

function sourceFile(cwd: string, absolutePath: string, owners: Owners): SourceFile {
    const manifest = owners.manifestOf(dirname(absolutePath));
    const tsconfig = owners.tsconfigOf(dirname(absolutePath));
    return {
        path: reportPath(cwd, absolutePath),
        absolutePath,
        ...(manifest !== undefined && { manifest: join(manifest) }),
        ...(tsconfig !== undefined && { tsconfig })
    };
}
