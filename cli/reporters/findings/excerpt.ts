import type { Finding } from '../../../codemods/index.js';
import type { Palette } from '../../palette.js';
import type { FindingsOutcome } from '../reporter.js';

/** Columns of a line that are shown; what is further right is seldom what the finding is about. */
const WIDTH = 110;

/** The line of a finding with the one above it, and the stretch marked below. */
export function excerpt(
    { file, line, column, endLine, endColumn }: Finding,
    lineOf: FindingsOutcome['lineOf'],
    palette: Palette
): string[] {
    const text = lineOf(file, line);
    if (text === undefined) return [];
    const shown = untabbed(text).slice(0, WIDTH);
    const end = endLine === line ? endColumn - 1 : shown.length;
    const from = Math.min(column - 1, shown.length);
    const marked = Math.max(1, Math.min(end, shown.length) - from);
    const gutter = String(line).length;
    const above = line > 1 ? lineOf(file, line - 1) : undefined;
    return [
        ...(above === undefined || above.trim() === ''
            ? []
            : [palette.dim(`  ${String(line - 1).padStart(gutter)} | ${untabbed(above).slice(0, WIDTH)}`)]),
        `${palette.bold('>')} ${line} | ${shown}`,
        `  ${' '.repeat(gutter)} | ${' '.repeat(from)}${palette.red('^'.repeat(marked))}`
    ];
}

/** One column per character, so that the mark stands where it belongs. */
const untabbed = (text: string): string => text.replace(/\t/g, ' ').trimEnd();
