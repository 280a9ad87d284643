import {
    cpSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    realpathSync,
    rmSync,
    symlinkSync,
    writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import ts from 'typescript';
import { afterAll } from 'vitest';

import { repoRoot } from '../../repo.js';

/** A project with these servers, that has installed the runtime as the package has it: both module systems. */
export function installedProject(servers: string): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-mrtr-verify-')));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(servers, folder, { recursive: true });
    const own = join(folder, 'node_modules/mcp-mrtr');
    mkdirSync(own, { recursive: true });
    cpSync(join(repoRoot, 'package.json'), join(own, 'package.json'));
    compile(join(own, 'dist/shim'), ts.ModuleKind.ESNext);
    compile(join(own, 'dist/cjs/shim'), ts.ModuleKind.CommonJS);
    writeFileSync(join(own, 'dist/cjs/package.json'), '{ "type": "commonjs" }');
    cpSync(join(servers, 'notes'), join(folder, 'node_modules/notes'), { recursive: true });
    for (const name of ['@modelcontextprotocol', 'zod']) {
        symlinkSync(join(repoRoot, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
    }
    return folder;
}

function compile(target: string, module: ts.ModuleKind): void {
    const source = join(repoRoot, 'shim');
    for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
        // A preload is an ES module, whatever the server is.
        if (!name.endsWith('.ts') || (module === ts.ModuleKind.CommonJS && name.startsWith('verify-replay'))) continue;
        const file = join(target, name.replace(/\.ts$/, '.js'));
        mkdirSync(dirname(file), { recursive: true });
        const { outputText } = ts.transpileModule(readFileSync(join(source, name), 'utf8'), {
            compilerOptions: { target: ts.ScriptTarget.ES2022, module, esModuleInterop: true }
        });
        writeFileSync(file, outputText);
    }
}
