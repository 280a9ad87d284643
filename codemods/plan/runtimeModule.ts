import { dirname, extname, join } from 'node:path';
import type { Facts, ModuleFact } from '../facts/facts.js';

/** The project's own module that makes the runtime: written once, then the user's. */
export interface RuntimeModule {
    path: string;
    /** Absent when the project has one already. */
    text: string | undefined;
}

/**
 * Where `attach` and `resumable` come from: `mrtr.ts` (or `.js`, `.mjs`, …) beside the file that makes the server.
 * A module of that name that is not ours is never touched; ours then gets another name.
 */
export function runtimeModule(facts: Facts, exists: (path: string) => string | undefined): RuntimeModule | undefined {
    const home = facts.servers[0]?.file ?? facts.handlers[0]?.file;
    const fact = facts.modules.find(one => one.file === home);
    if (home === undefined || fact === undefined) return undefined;
    const extension = extname(home).replace('x', '');
    for (const name of ['mrtr', 'mcp-mrtr', 'mrtr-runtime']) {
        const path = join(dirname(home), name + extension);
        const present = exists(path);
        if (present === undefined) return { path, text: moduleText(fact) };
        if (present.includes('createMrtr(')) return { path, text: undefined };
    }
    return { path: join(dirname(home), `mrtr-${Object.keys(facts).length}${extension}`), text: moduleText(fact) };
}

function moduleText({ quote, semicolon, system, eol }: ModuleFact): string {
    const end = semicolon ? ';' : '';
    const q = (text: string): string => `${quote}${text}${quote}`;
    const lines =
        system === 'cjs'
            ? [
                  ...COMMENT,
                  `const { createMrtr } = require(${q('mcp-mrtr')})${end}`,
                  '',
                  `module.exports = createMrtr({ key: process.env.MCP_STATE_KEY })${end}`
              ]
            : [
                  ...COMMENT,
                  `import { createMrtr } from ${q('mcp-mrtr')}${end}`,
                  '',
                  `export const { attach, resumable } = createMrtr({ key: process.env.MCP_STATE_KEY })${end}`
              ];
    return lines.map(line => line + eol).join('');
}

const COMMENT = [
    '// What a handler has learned travels through the client, sealed with this key (32 bytes or more).',
    '// Give every instance the same one; without it a call does not survive a restart.'
];
