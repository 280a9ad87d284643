import type { Diagnostic, Finding, FindingLevel } from '../../../codemods/index.js';
import { byPosition } from '../order.js';
import type { FindingsOutcome, Reporter } from '../reporter.js';

const COMMANDS: Readonly<Record<FindingLevel, string>> = { error: 'error', warning: 'warning', note: 'notice' };

/** Workflow commands, which GitHub Actions shows at the lines of a pull request. */
export const github: Reporter<FindingsOutcome> = ({ findings, failures }) =>
    [...[...findings].sort(byPosition).map(annotation), ...failures.map(failure)].join('\n');

function annotation({ level, file, line, column, endLine, endColumn, rule, message }: Finding): string {
    // Columns of a stretch over several lines would be taken for those of one.
    const columns = endLine === line ? { col: column, endColumn } : { col: column };
    return command(COMMANDS[level], { file, line, endLine, ...columns, title: rule }, message);
}

const failure = ({ file, line, code, message }: Diagnostic): string =>
    command(
        'error',
        { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }), title: code },
        message
    );

function command(name: string, properties: Readonly<Record<string, string | number>>, message: string): string {
    const list = Object.entries(properties).map(([key, value]) => `${key}=${escapedProperty(String(value))}`);
    return `::${name} ${list.join(',')}::${escapedData(message)}`;
}

const escapedData = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const escapedProperty = (text: string): string => escapedData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
