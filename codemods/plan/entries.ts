import type { Facts } from '../facts/facts.js';
import type { Diagnostic } from '../report.js';

/** Line of the original text, for an offset into the upgraded one. */
export type LineOf = (file: string, offset: number) => number;

const WITH_STDIO = 'Mend that by hand, then serve it with serveStdio(() => server).';
const WITH_HTTP =
    'To serve 2026-07-28 beside it: const modern = createMcpHandler(() => createServer(), { legacy: "reject" }), and in its ' +
    'route if (!(await isLegacyRequest(request))) return modern.fetch(request); with Node req and res through toWebRequest ' +
    'and toNodeHandler of @modelcontextprotocol/node.';

/** What stays on 2025-era connections is never left in silence. */
export function blockedEntries({ entries, httpEntries }: Facts, lineOf: LineOf): Diagnostic[] {
    const stdio = entries.map(({ file, connect, blocked }) => ({ file, connect, left: blocked, how: WITH_STDIO }));
    const http = httpEntries.map(({ file, connect, left }) => ({ file, connect, left, how: WITH_HTTP }));
    return [...stdio, ...http].flatMap(({ file, connect, left, how }) =>
        left === undefined
            ? []
            : [
                  {
                      level: 'warning',
                      code: 'entry-left',
                      message: `The server stays on 2025-era connections: ${left}. ${how}`,
                      file,
                      line: lineOf(file, connect)
                  }
              ]
    );
}

/** A server that is migrated, and that nothing here connects: its entry is a framework's, or in another repository. */
export function unservedServers(
    { servers, entries, httpEntries }: Facts,
    texts: ReadonlyMap<string, string>,
    lineOf: LineOf
): Diagnostic[] {
    if (entries.length + httpEntries.length > 0 || [...texts.values()].some(servesModern)) return [];
    return servers
        .filter(({ file }) => /\battach\(/.test(texts.get(file) ?? ''))
        .map(({ file, construction }) => ({
            level: 'warning',
            code: 'entry-unknown',
            message:
                'Nothing in these files serves this server on 2026-07-28: what connects it was not found. ' +
                'Give its factory to createMcpHandler or serveStdio, or to what your framework has instead.',
            file,
            line: lineOf(file, construction.start)
        }));
}

/** The entries of the SDK. Frameworks have some of the same name that serve what they were written for. */
const servesModern = (text: string): boolean =>
    /\b(?:createMcpHandler|serveStdio)\(/.test(text) &&
    /\{[^{}]*\b(?:createMcpHandler|serveStdio)\b[^{}]*\}\s*(?:from|=\s*(?:await\s+import|require)\()\s*['"]@modelcontextprotocol\/server/.test(
        text
    );
