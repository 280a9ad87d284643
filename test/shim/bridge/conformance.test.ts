import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { repoRoot } from '../../repo.js';

it.each(['park', 'replay'])('a push-style server of SDK v1 passes the official suite under %s', mode => {
    const entry = join(repoRoot, 'fixtures/bridge/conformance', `${mode}.ts`);
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(repoRoot, 'scripts/conformance.mjs'), entry], {
        encoding: 'utf8'
    });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/^37 of 37 required scenarios ok; scored checks: 119 passed, 0 failed/m);
});
