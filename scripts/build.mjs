// Builds dist/ (ES modules) and dist/cjs/ (CommonJS, the runtime only: a server that is compiled to CommonJS has to be
// able to require it; nobody requires the codemod).
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** Beside dist/, so that the rename at the end stays on one file system. */
const folder = mkdtempSync(join(root, 'dist.new-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

compile('tsconfig.build.json', folder);
compile('tsconfig.cjs.json', join(folder, 'cjs'));
writeFileSync(join(folder, 'cjs/package.json'), '{ "type": "commonjs" }\n');
chmodSync(join(folder, 'cli/index.js'), 0o755);
chmodSync(folder, 0o755); // mkdtemp keeps others out

// Replaced only when everything compiled: a failed build leaves the last good one, and nothing runs half of it.
rmSync(join(root, 'dist'), { recursive: true, force: true });
renameSync(folder, join(root, 'dist'));

function compile(project, outDir) {
    const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, project), '--outDir', outDir], {
        stdio: 'inherit'
    });
    if (status !== 0) process.exit(1);
}
