import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from './repo.js';

/**
 * The parity kit: old servers, recorded with their old clients, and a harness that plays them. It lives beside the
 * repository where the project is developed; a clone elsewhere does without, and its tests say that they were skipped.
 */
const folder = join(repoRoot, '../shared/kit');

export interface Kit {
    /** The harness, an executable. */
    parity: string;
    /** The folder of the cases. */
    cases: string;
}

export const kit: Kit | undefined = existsSync(join(folder, 'parity'))
    ? { parity: join(folder, 'parity'), cases: join(folder, 'open') }
    : undefined;

/** For the title of what needs the kit: vitest prints the titles of skipped tests, and `npm test` lists them. */
export const kitNote = kit ? '' : ` [SKIPPED: no parity kit at ${folder}]`;
