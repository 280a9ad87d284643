import { dirname, join } from 'node:path';

const ZOD_IMPORT = /(?:from|import|require)\s*\(?\s*['"]zod['"]/;

/** Calls that hand a schema to the SDK. The low-level `Server` takes JSON Schema, not zod. */
const TAKES_SCHEMAS = /\b(?:registerTool|registerPrompt|completable)\s*\(|\.(?:tool|prompt)\(\s*['"`]/;

const RELATIVE = /(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"\n]*|\.{1,2})['"]/g;

/**
 * The files whose zod schemas may reach the SDK: those that register tools or prompts, and everything they import, at
 * any depth. Too many is safe (they move to zod 4 with the SDK); one too few would hand the SDK a zod 3 schema.
 */
export function schemaFiles(files: ReadonlyMap<string, string>): Set<string> {
    const reached = new Set<string>();
    const open = [...files].filter(([, text]) => TAKES_SCHEMAS.test(text)).map(([path]) => path);
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
        if (reached.has(path)) continue;
        reached.add(path);
        for (const match of (files.get(path) ?? '').matchAll(RELATIVE)) {
            const target = resolveIn(files, join(dirname(path), match[1] ?? ''));
            if (target !== undefined) open.push(target);
        }
    }
    return new Set([...reached].filter(path => ZOD_IMPORT.test(files.get(path) ?? '')));
}

function resolveIn(files: ReadonlyMap<string, string>, path: string): string | undefined {
    const stem = path.replace(/\.[cm]?jsx?$/, '');
    const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
    const candidates = [path, ...extensions.flatMap(one => [stem + one, path + one, join(path, `index${one}`)])];
    return candidates.find(candidate => files.has(candidate));
}
