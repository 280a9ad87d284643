import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repoRoot = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** The built command. Tests that need the build say so, instead of failing with a file that is not found. */
export function builtCli(): string {
    const path = join(repoRoot, 'dist/cli/index.js');
    if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\` first (\`npm test\` does).`);
    return path;
}
