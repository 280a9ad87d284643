import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Compiles the runtime and the helpers of its tests as the package is built, and returns the folder. Loaders that
 * compile on the fly give every function a name of its own, 256 bytes for each function of each frame.
 */
export function compileShim(): string {
    const cache = join(ROOT, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    const target = mkdtempSync(join(cache, 'mcp-mrtr-'));
    for (const folder of ['shim', 'test/shim']) {
        for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
            if (!name.endsWith('.ts') || name.endsWith('test.ts')) continue;
            const file = join(target, folder, name.replace(/\.ts$/, '.js'));
            mkdirSync(dirname(file), { recursive: true });
            writeFileSync(file, compiled(join(ROOT, folder, name)));
        }
    }
    writeFileSync(join(target, 'package.json'), '{ "type": "module" }');
    return target;
}

function compiled(path: string): string {
    return ts.transpileModule(readFileSync(path, 'utf8'), {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true }
    }).outputText;
}
