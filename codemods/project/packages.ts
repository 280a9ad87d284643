import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where the types of the SDK, of zod, of Node and of mcp-mrtr itself come from: the copies that were installed together
 * with this package. A project is read before its `npm install` (or without one), and v2 is not in its node_modules
 * before the migration in any case; 14 of 38 real repositories would also bring a zod that v2 cannot be checked with.
 */

const here = dirname(fileURLToPath(import.meta.url));

/** The runtime beside this file: `shim/index.ts` in the repository, `dist/shim/index.d.ts` where installed. */
const shim = join(here, '..', '..', 'shim');

/** Folder of this package's own package.json. */
export const packageRoot = findPackageRoot(here);

function findPackageRoot(start: string): string {
    for (let folder = start; ; folder = dirname(folder)) {
        if (existsSync(join(folder, 'package.json'))) return folder;
        if (folder === dirname(folder)) throw new Error(`mcp-mrtr: no package.json above ${start}; install it again`);
    }
}

interface OwnManifest {
    version: string;
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
}

export function ownManifest(): OwnManifest {
    return JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as OwnManifest;
}

const SDK = /^@modelcontextprotocol\/(server|client|core|node)(\/|$)/;
const SDK_V1 = /^@modelcontextprotocol\/sdk(?=\/|$)/;
const ZOD = /^zod(?=\/|$)/;

/**
 * What our copies of SDK v1 and zod are installed as. Under their own names npm would give them to the project that they
 * are installed into: a server of SDK 1.17 and zod 3 did not start any more beside ours.
 */
export const OWN_SDK_V1 = 'mcp-sdk-v1';
const OWN_ZOD = 'zod-4';
const OWN = /^mcp-mrtr(\/(.*))?$/;

export type PackageSource =
    /** Resolve `name` as if this package had imported it. */
    | { kind: 'ours'; name: string }
    /** A file of our own runtime. */
    | { kind: 'file'; path: string }
    | { kind: 'theirs' };

/**
 * Whose copy an import of the user's project resolves to. `zod` is the major that the package of the file uses: `zod` itself
 * means `zod/v3` to one on zod 3, while `zod/v3` and `zod/v4` name their version themselves.
 */
export function packageSource(name: string, zod: 3 | 4): PackageSource {
    if (SDK.test(name)) return { kind: 'ours', name };
    if (SDK_V1.test(name)) return { kind: 'ours', name: name.replace(SDK_V1, OWN_SDK_V1) };
    if (ZOD.test(name)) {
        return { kind: 'ours', name: name === 'zod' && zod === 3 ? `${OWN_ZOD}/v3` : name.replace(ZOD, OWN_ZOD) };
    }
    const own = OWN.exec(name);
    if (own) return ownSource(name, own[2]);
    return { kind: 'theirs' };
}

/** The repository has no built types, or old ones; its sources are the truth there. */
function ownSource(name: string, subpath = 'index'): PackageSource {
    const source = join(shim, `${subpath}.ts`);
    return existsSync(source) ? { kind: 'file', path: source } : { kind: 'ours', name };
}

/** The types of the runtime as a file: a package does not find itself by its name under every `moduleResolution`. */
export function ownTypes(name: string): string | undefined {
    const own = OWN.exec(name);
    const path = own === null ? undefined : join(shim, `${own[2] ?? 'index'}.d.ts`);
    return path !== undefined && existsSync(path) ? path : undefined;
}
