import type { Palette } from '../../palette.js';
import { diagnosticLines, paintLevel } from '../diagnostics.js';
import type { FindingsOutcome, Reporter } from '../reporter.js';
import { count, table } from '../table.js';

/** The person's form of `check`: one line per finding, `file:line:column  level  message  rule`, then the count. */
export const pretty: Reporter<FindingsOutcome> = ({ findings, failures }, palette) => {
    const rows = findings.map(({ file, line, column, level, message, rule }) => [
        `${file}:${line}:${column}`,
        level,
        message,
        rule
    ]);
    const lines = table(rows, (cell, column, row) => {
        if (column === 1) return paintLevel(findings[row]?.level ?? 'note', cell, palette);
        return column === 3 ? palette.dim(cell) : cell;
    });
    return [...lines, ...diagnosticLines(failures, palette), ...total(findings.length, findings, palette)].join('\n');
};

function total(number: number, findings: FindingsOutcome['findings'], palette: Palette): string[] {
    if (number === 0) return [];
    const files = new Set(findings.map(finding => finding.file)).size;
    return [palette.bold(`${count(number, 'finding')} in ${count(files, 'file')}`)];
}
