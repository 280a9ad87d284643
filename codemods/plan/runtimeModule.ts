import { dirname, extname, join } from 'node:path';
import type { Facts, ModuleFact } from '../facts/facts.js';

/** The project's own module that makes the runtime: written once, then the user's. */
export interface RuntimeModule {
    path: string;
    /** Absent when the project has one already. */
    text: string | undefined;
}

/**
 * Where the `attach` and `resumable` of each package come from: `mrtr.ts` (or `.js`, `.mjs`, …) beside the file that makes
 * the server. A module of that name that is not ours is never touched; ours then gets another name.
 */
export function runtimeModules(
    facts: Facts,
    packageOf: (file: string) => string,
    textOf: (path: string) => string | undefined,
    nodeGlobals: boolean
): Map<string, RuntimeModule> {
    const modules = new Map<string, RuntimeModule>();
    const parking = facts.servers.filter(({ parks }) => parks === true);
    const asking = new Set([...facts.handlers, ...parking].map(({ file }) => packageOf(file)));
    const serving = new Set(facts.servers.map(({ file }) => packageOf(file)));
    // Handlers of a library run on a server that another package makes: which one is not known, so all are attached.
    const everywhere = [...asking].some(owner => !serving.has(owner));
    for (const { file } of [...facts.servers, ...facts.handlers]) {
        const owner = packageOf(file);
        const fact = facts.modules.find(one => one.file === file);
        if (modules.has(owner) || fact === undefined) continue;
        if (everywhere || asking.has(owner)) modules.set(owner, moduleBeside(fact, textOf, nodeGlobals));
    }
    return modules;
}

function moduleBeside(
    fact: ModuleFact,
    textOf: (path: string) => string | undefined,
    nodeGlobals: boolean
): RuntimeModule {
    const extension = extname(fact.file).replace('x', '');
    for (let number = 0; ; number++) {
        const name = ['mrtr', 'mcp-mrtr'][number] ?? `mcp-mrtr-${number}`;
        const path = join(dirname(fact.file), name + extension);
        const present = textOf(path);
        if (present === undefined) return { path, text: moduleText(fact, nodeGlobals) };
        if (present.includes('createMrtr(')) return { path, text: undefined };
    }
}

function moduleText({ language, quote, semicolon, system, eol }: ModuleFact, nodeGlobals: boolean): string {
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
    // A tsconfig that lists its `types` without node would not know `process`.
    const reference = language === 'ts' && !nodeGlobals ? ['/// <reference types="node" />', ''] : [];
    return [...reference, ...lines].map(line => line + eol).join('');
}

const COMMENT = [
    '// What a handler has learned travels through the client, sealed with this key (32 bytes or more).',
    '// Give every instance the same one; without it a call does not survive a restart.'
];
