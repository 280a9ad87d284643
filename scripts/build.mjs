// Builds dist/ (ES modules) and dist/cjs/ (CommonJS, the runtime only) with tsc.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const run = project => execFileSync(process.execPath, [tsc, '-p', project], { stdio: 'inherit' });

rmSync('dist', { recursive: true, force: true });
run('tsconfig.build.json');
run('tsconfig.cjs.json');
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
chmodSync('dist/cli/index.js', 0o755);
