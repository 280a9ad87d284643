import type { Diagnostic } from '../report.js';
import { errorDifference } from './typeErrors.js';
import type { TypeErrors } from './typeErrors.js';

/** Type errors that our edits brought: none of them is hidden, and each says what it is. */
export function ownTypeErrors(after: TypeErrors, afterSdkUpgrade: TypeErrors): Diagnostic[] {
    // The upgrade's own errors may read differently afterwards, because types print differently: those are not ours.
    const reworded = errorDifference(afterSdkUpgrade, after).map(({ path, code }) => `${path} ${code}`);
    const added = errorDifference(after, afterSdkUpgrade).filter(({ path, code }) => {
        const index = reworded.indexOf(`${path} ${code}`);
        if (index >= 0) reworded.splice(index, 1);
        return index < 0;
    });
    return added.map(({ path, code, message }) => ({
        level: 'warning',
        code: 'type-error',
        message: `TS${code}: ${message} (new with this migration)`,
        file: path
    }));
}
