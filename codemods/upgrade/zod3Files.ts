import MagicString from 'magic-string';
import { ts } from 'ts-morph';

export interface Zod3Input {
    /** Path → text of the files of a project whose zod was 3. */
    files: ReadonlyMap<string, string>;
    /** Paths of those whose schemas reach the SDK; they become zod 4. */
    schemaFiles: ReadonlySet<string>;
}

/**
 * For a project whose zod goes from 3 to 4 because of SDK v2: every other file keeps the zod that it was written for, by
 * importing `zod/v3`, which zod 4 contains. Returns the files that change.
 */
export function zod3Files({ files, schemaFiles }: Zod3Input): Map<string, string> {
    const changed = new Map<string, string>();
    for (const [path, text] of files) {
        if (schemaFiles.has(path)) continue;
        const edits = new MagicString(text);
        for (const { fileName, pos } of ts.preProcessFile(text, true, true).importedFiles) {
            // `pos` is the opening quote.
            if (fileName === 'zod') edits.overwrite(pos + 1, pos + 1 + fileName.length, 'zod/v3');
        }
        if (edits.hasChanged()) changed.set(path, edits.toString());
    }
    return changed;
}
