import { dirname, join } from 'node:path';
import { zodMajorOf } from './ranges.js';

/** Which files of a project are written for zod 3. A workspace may have packages on either major. */
export interface ZodVersions {
    /** Absolute paths of the files whose package is on zod 3. */
    zod3: ReadonlySet<string>;
    /** Those of them whose package comes to SDK v2, and so to zod 4. */
    raised: ReadonlySet<string>;
}

const SDK_V1 = '@modelcontextprotocol/sdk';

/**
 * The zod of a file is the one that the nearest package.json above it declares.
 *
 * @param files absolute path → text.
 * @param manifestAt the text of the package.json in a folder, if there is one.
 */
export function zodVersions(
    files: ReadonlyMap<string, string>,
    manifestAt: (folder: string) => string | undefined
): ZodVersions {
    const known = new Map<string, Declared>();
    const declared = (folder: string): Declared => {
        const found = known.get(folder);
        if (found !== undefined) return found;
        const above = dirname(folder) === folder ? NOTHING : declared(dirname(folder));
        const text = manifestAt(folder);
        const own = text === undefined ? above : declaredIn(text, join(folder, 'package.json'), above);
        known.set(folder, own);
        return own;
    };
    const of = (path: string): Declared => declared(dirname(path));
    const paths = [...files.keys()];
    const upgraded = new Set<string | undefined>();
    for (const [path, text] of files) {
        if (!text.includes(SDK_V1)) continue;
        const { owner, zod, sdk } = of(path);
        for (const manifest of [owner, zod, sdk]) if (manifest !== undefined) upgraded.add(manifest);
    }
    const zod3 = paths.filter(path => of(path).major === 3);
    const raised = zod3.filter(path => upgraded.has(of(path).owner) || upgraded.has(of(path).zod));
    return { zod3: new Set(zod3), raised: new Set(raised) };
}

/** What holds in a folder, by the paths of the manifests that say so. */
interface Declared {
    owner?: string;
    zod?: string;
    sdk?: string;
    major: 3 | 4;
}

const NOTHING: Declared = { major: 4 };

function declaredIn(text: string, path: string, above: Declared): Declared {
    const range = /"zod"\s*:\s*"([^"]+)"/.exec(text)?.[1];
    return {
        ...above,
        owner: path,
        ...(range === undefined ? {} : { zod: path, major: zodMajorOf(range) }),
        ...(text.includes('"@modelcontextprotocol/') ? { sdk: path } : {})
    };
}
