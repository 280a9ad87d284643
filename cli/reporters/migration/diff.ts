import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { FileChange } from '../../../codemods/index.js';
import type { Palette } from '../../palette.js';
import { byCodeUnits } from '../order.js';
import type { MigrationOutcome, Reporter } from '../reporter.js';

/** One unified diff over all files, in the form that `git apply` takes. */
export const diff: Reporter<MigrationOutcome> = ({ changes }, palette) =>
    [...changes]
        .sort((a, b) => byCodeUnits(a.path, b.path))
        .map(change => paint(patch(change), palette))
        .join('');

function patch({ path, before, after }: FileChange): string {
    const oldName = before === undefined ? '/dev/null' : `a/${path}`;
    return createTwoFilesPatch(oldName, `b/${path}`, before ?? '', after, undefined, undefined, {
        context: 3,
        headerOptions: FILE_HEADERS_ONLY
    });
}

function paint(text: string, palette: Palette): string {
    return text
        .split('\n')
        .map(line => {
            if (line.startsWith('--- ') || line.startsWith('+++ ')) return palette.bold(line);
            if (line.startsWith('@@')) return palette.cyan(line);
            if (line.startsWith('+')) return palette.green(line);
            return line.startsWith('-') ? palette.red(line) : line;
        })
        .join('\n');
}
