import type { Diagnostic } from '../../codemods/index.js';
import type { Palette } from '../palette.js';
import { diagnosticLines } from './diagnostics.js';
import { count } from './table.js';

/** What stderr says of the files that failed. The pretty reports name them already; beside JSON a person needs the names. */
export function failureLines(failures: readonly Diagnostic[], named: boolean, palette: Palette): string {
    if (failures.length === 0) return '';
    const total = `${count(failures.length, 'problem')}: what is named above failed or was skipped, the rest was done.`;
    return [...(named ? diagnosticLines(failures, palette) : []), palette.red(total)].join('\n');
}
