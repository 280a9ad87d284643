import type { Finding, FindingLevel } from '../../../codemods/index.js';
import type { Palette } from '../../palette.js';
import { diagnosticLines, paintLevel } from '../diagnostics.js';
import type { FindingsOutcome, Reporter } from '../reporter.js';
import { count } from '../table.js';
import { excerpt } from './excerpt.js';

/** The person's form of `check`: by file, each finding with its line of code and the places that belong to it; a summary. */
export const pretty: Reporter<FindingsOutcome> = ({ findings, failures, lineOf }, palette) => {
    const files = [...new Set(findings.map(({ file }) => file))];
    const lines = files.flatMap(file => [
        palette.bold(file),
        ...findings.filter(one => one.file === file).flatMap(one => [...entry(one, lineOf, palette), ''])
    ]);
    return [...lines, ...diagnosticLines(failures, palette), ...summary(findings, files.length, palette)].join('\n');
};

function entry(finding: Finding, lineOf: FindingsOutcome['lineOf'], palette: Palette): string[] {
    const { line, column, level, message, rule, related } = finding;
    return [
        `  ${line}:${column}  ${paintLevel(level, level, palette)}  ${message}  ${palette.dim(rule)}`,
        ...excerpt(finding, lineOf, palette).map(text => `    ${text}`),
        ...related.map(place => palette.dim(`      ${place.file}:${place.line}:${place.column}  ${place.message}`))
    ];
}

function summary(findings: readonly Finding[], files: number, palette: Palette): string[] {
    if (findings.length === 0) return [];
    const levels: FindingLevel[] = ['error', 'warning', 'note'];
    const counts = levels
        .map(level => ({ level, number: findings.filter(one => one.level === level).length }))
        .filter(({ number }) => number > 0)
        .map(({ level, number }) => count(number, level));
    return [
        palette.bold(`${counts.join(', ')} in ${count(files, 'file')}`),
        palette.dim('mcp-mrtr explain <rule> says why, and what to do.')
    ];
}
