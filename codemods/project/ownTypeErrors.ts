import type { Diagnostic } from '../report.js';
import { errorDifference } from './typeErrors.js';
import type { TypeError, TypeErrors } from './typeErrors.js';

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

/** More files than this are counted only. */
const MOST_FILES = 10;

/**
 * Type errors that the SDK upgrade alone brings, by file, with the first of each. They are not of our edits, and a project that
 * does not compile has to be told where to begin.
 */
export function upgradeTypeErrors(afterSdkUpgrade: TypeErrors, before: TypeErrors): Diagnostic[] {
    const byFile = new Map<string, TypeError[]>();
    for (const error of errorDifference(afterSdkUpgrade, before)) {
        byFile.set(error.path, [...(byFile.get(error.path) ?? []), error]);
    }
    const files = [...byFile].sort(([, a], [, b]) => b.length - a.length);
    const named = files.slice(0, MOST_FILES).map(([file, errors]): Diagnostic => {
        const [first] = errors;
        const others = errors.length === 1 ? '' : ` and ${errors.length - 1} more`;
        return {
            level: 'warning',
            code: 'sdk-type-error',
            message: `SDK v2 has other types: TS${first?.code ?? 0}: ${first?.message ?? ''}${others}; mend them by hand`,
            file
        };
    });
    const left = files.length - named.length;
    if (left === 0) return named;
    const message = `${left} more files have type errors since the SDK upgrade; the compiler lists them`;
    return [...named, { level: 'warning', code: 'sdk-type-error', message }];
}
