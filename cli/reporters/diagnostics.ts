import type { Diagnostic, DiagnosticLevel, FindingLevel } from '../../codemods/index.js';
import type { Palette } from '../palette.js';
import { byPosition } from './order.js';
import { table } from './table.js';

/** One line each: `error  src/broken.ts:3  syntax-error  ';' expected`. */
export function diagnosticLines(diagnostics: readonly Diagnostic[], palette: Palette): string[] {
    const sorted = [...diagnostics].sort(byPosition);
    const rows = sorted.map(({ level, file, line, code, message }) => [level, place(file, line), code, message]);
    return table(rows, (cell, column, row) => {
        if (column === 0) return paintLevel(sorted[row]?.level ?? 'info', cell, palette);
        return column === 2 ? palette.dim(cell) : cell;
    });
}

export function paintLevel(level: DiagnosticLevel | FindingLevel, text: string, palette: Palette): string {
    if (level === 'error') return palette.red(text);
    return level === 'warning' ? palette.yellow(text) : palette.cyan(text);
}

function place(file: string | undefined, line: number | undefined): string {
    if (file === undefined) return '(project)';
    return line === undefined ? file : `${file}:${line}`;
}
