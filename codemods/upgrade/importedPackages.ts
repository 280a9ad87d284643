import { ts } from 'ts-morph';
import { packageOf } from './moduleReference.js';

/**
 * Packages that a text names in an import, an export-from, a `require` or an `import()` with a literal. The compiler's own
 * scanner, without a parse.
 */
export function importedPackages(text: string): Set<string> {
    const { importedFiles } = ts.preProcessFile(text, true, true);
    return new Set(importedFiles.flatMap(({ fileName }) => packageOf(fileName) ?? []));
}
