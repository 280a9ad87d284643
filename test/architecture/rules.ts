import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { usesOf } from './imports.js';
import type { Sources } from './sources.js';

/** Which top-level folder may import from which others, beside itself. */
const ARROWS: Record<string, string[]> = { cli: ['codemods', 'shim'], codemods: [], shim: [] };

/** The folders that may know ts-morph: its future under TypeScript 7 is open, so it has to be replaceable. */
const TS_MORPH = ['codemods/project/', 'codemods/upgrade/'];

/** Only the command line talks to the process; everything below it returns what it has to say. */
const PROCESS_SURFACE = /^(console\.\w+|process\.(exit|exitCode|argv|stdout|stderr))$/;

/**
 * The runtime's debug log and the report of the check have no other place to talk to in a server; and the check has to know
 * which script is the server.
 */
const TALKS: Readonly<Record<string, string>> = {
    'shim/handler/debug.ts': 'process.stderr',
    'shim/verify-replay/index.ts': 'process.stderr',
    'shim/verify-replay/call-site.ts': 'process.argv'
};

/** Every breach of the project's structure, one line each, empty when there is none. */
export function violations(sources: Sources): string[] {
    const found: string[] = [];
    for (const [path, text] of sources) {
        const { specifiers, globals } = usesOf(path, text);
        const folder = topOf(path);
        for (const specifier of specifiers) {
            const target = specifier.startsWith('.') ? resolve(path, specifier) : undefined;
            const to = target === undefined ? undefined : topOf(target);
            if (to !== undefined && to !== folder && !(ARROWS[folder] ?? []).includes(to)) {
                found.push(`${path} imports ${specifier}: ${folder} must not know ${to}`);
            }
            if (packageOf(specifier) === 'mcp-mrtr') found.push(`${path} imports the package by its own name`);
            if (packageOf(specifier) === 'ts-morph' && !TS_MORPH.some(allowed => path.startsWith(allowed))) {
                found.push(`${path} imports ts-morph: only ${TS_MORPH.join(' and ')} may`);
            }
        }
        if (folder !== 'cli') {
            const allowed = TALKS[path];
            const surface = globals.filter(name => PROCESS_SURFACE.test(name) && name !== allowed);
            for (const name of surface) found.push(`${path} uses ${name}: only cli/ talks to the process`);
        }
    }
    return [...found, ...impureEngine(sources)];
}

/** The engine has to run wherever JavaScript runs: what it reaches, directly or through others, is language and async_hooks. */
function impureEngine(sources: Sources): string[] {
    const found: string[] = [];
    const reached = new Set([...sources.keys()].filter(path => path.startsWith('shim/exchange/')));
    for (const path of reached) {
        for (const specifier of usesOf(path, sources.get(path) ?? '').specifiers) {
            if (specifier.startsWith('.')) {
                const target = resolve(path, specifier);
                if (sources.has(target)) reached.add(target);
            } else if (specifier !== 'node:async_hooks') {
                const what = isBuiltin(specifier) ? 'a Node built-in' : 'a package';
                found.push(`${path} imports ${specifier}, ${what}, and shim/exchange reaches it`);
            }
        }
    }
    return found;
}

/** A name has to say what a file is about. */
export function namelessFiles(paths: Iterable<string>): string[] {
    return [...paths].filter(path => /(^|\/)(utils?|helpers?)(\.[cm]?[jt]s$|\/)/.test(path));
}

function topOf(path: string): string {
    return path.split('/')[0] ?? '';
}

export function packageOf(specifier: string): string {
    return specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
}

/** `./x.js` in the text is `./x.ts` in the tree. */
function resolve(from: string, specifier: string): string {
    return posix.join(posix.dirname(from), specifier).replace(/\.([cm]?)js$/, '.$1ts');
}
