import { ownManifest } from '../project/packages.js';

export const SDK_V1 = '@modelcontextprotocol/sdk';

/** What goes into a package.json for each package that a migrated file can import. */
export function packageRanges(): ReadonlyMap<string, string> {
    const own = ownManifest();
    const pinned = { ...own.devDependencies, ...own.peerDependencies, ...own.dependencies };
    // What we are built and tested against, open to later versions of the same major.
    const tested = (name: string) => caret(pinned[name] ?? '*');
    return new Map([
        ['@modelcontextprotocol/server', tested('@modelcontextprotocol/server')],
        ['@modelcontextprotocol/client', tested('@modelcontextprotocol/client')],
        ['@modelcontextprotocol/node', tested('@modelcontextprotocol/node')],
        // The server package pins core to its own version.
        ['@modelcontextprotocol/core', tested('@modelcontextprotocol/server')],
        // Not among our own packages: the versions that were current with server 2.4.0.
        ['@modelcontextprotocol/express', '^2.0.2'],
        ['@modelcontextprotocol/server-legacy', '^2.3.1'],
        ['zod', tested('zod')],
        ['@types/node', tested('@types/node')],
        ['mcp-mrtr', caret(own.version)]
    ]);
}

/** Packages that one of ours wants beside it (its peer dependencies among these packages). */
export const COMPANIONS: ReadonlyMap<string, readonly string[]> = new Map([
    ['@modelcontextprotocol/node', ['@modelcontextprotocol/server']],
    ['@modelcontextprotocol/express', ['@modelcontextprotocol/server']],
    ['mcp-mrtr', ['@modelcontextprotocol/server']]
]);

function caret(range: string): string {
    return /^\d/.test(range) ? `^${range}` : range;
}
