import { chmodSync, mkdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { builtCli } from '../repo.js';
import { commitAll, temporaryProject } from '../temporaryProject.js';

/** Root may read everything, unless it gives that right up. */
const WITHOUT_OVERRIDE =
    process.getuid?.() === 0
        ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all', '--ambient-caps=-all']
        : [];
const canBeDenied = WITHOUT_OVERRIDE.length === 0 || spawnSync('setpriv', ['--version']).status === 0;

it.skipIf(!canBeDenied).each([
    ['check', 'without git', false],
    ['check', 'in a repository', true],
    ['migrate', 'without git', false]
])('%s names a folder that cannot be listed, %s, and does the rest', (command, _, inGit) => {
    const folder = temporaryProject({ 'package.json': '{ "name": "n" }', 'src/a.ts': 'export const a = 1;\n' });
    if (inGit) commitAll(folder);
    const shut = join(folder, 'src/shut');
    mkdirSync(shut, { mode: 0 });
    onTestFinished(() => chmodSync(shut, 0o755));
    const [program, ...args] = [...WITHOUT_OVERRIDE, process.execPath, builtCli(), command];
    const { status, stderr, stdout } = spawnSync(program, [...args, '--cwd', folder], { encoding: 'utf8' });
    expect(stdout + stderr).toContain('src/shut cannot be listed: permission denied');
    expect(status).toBe(4);
});
