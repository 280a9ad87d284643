import type { ProjectType } from './official.js';

const CLIENT = /['"]@modelcontextprotocol\/(?:sdk\/)?client(?:\/|['"])/;
const SERVER = /['"]@modelcontextprotocol\/(?:sdk\/)?server(?:\/|['"])/;

/**
 * Which SDK packages a set of files needs, by what they name. Shared names (types, errors) that nothing decides go to
 * the server package: pushing requests is what servers do.
 */
export function projectTypeOf(texts: Iterable<string>): ProjectType {
    let client = false;
    let server = false;
    for (const text of texts) {
        client ||= CLIENT.test(text);
        server ||= SERVER.test(text);
    }
    if (client) return server ? 'both' : 'client';
    return 'server';
}
