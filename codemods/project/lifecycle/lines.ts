import { Node, SyntaxKind } from 'ts-morph';
import type { SourceFile } from 'ts-morph';
import type { Edit } from '../../edits/edit.js';

/** Edits of whole lines, for statements that move. All of one rule. */
export class LineEdits {
    readonly edits: Edit[] = [];

    constructor(
        private readonly rule: string,
        private readonly group: string
    ) {}

    replace(file: SourceFile, start: number, end: number, text: string): void {
        this.edits.push({ file: file.getFilePath(), start, end, text, rule: this.rule, group: this.group });
    }

    /** Takes a statement out, with the comments directly above it and one blank line, if it leaves two. */
    remove(statement: Node): void {
        const file = statement.getSourceFile();
        const text = file.getFullText();
        const { start, end } = statementLines(statement);
        const after = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0] ?? '';
        const blankBefore = /(?:^|\n)[ \t]*\r?\n$/.test(text.slice(0, start)) || start === 0;
        this.replace(file, start, blankBefore ? end + after.length : end, '');
    }

    /** Whether an edit takes a node out. */
    removes(node: Node): boolean {
        const path = node.getSourceFile().getFilePath();
        return this.edits.some(
            ({ file, start, end, text }) =>
                file === path && text === '' && start <= node.getStart() && node.getEnd() <= end
        );
    }

    /** `if (…) { a; b; }` becomes `a; b;`, one level out. */
    unwrapBlock(statement: Node, block: Node): void {
        const file = statement.getSourceFile();
        const text = file.getFullText();
        if (!Node.isBlock(block)) {
            this.replace(file, statement.getStart(), block.getStart(), '');
            return;
        }
        const inner = block.getStatements();
        const [first] = inner;
        const last = inner.at(-1);
        if (first === undefined || last === undefined) {
            this.remove(statement);
            return;
        }
        const bodyStart = lineEnd(text, block.getStart());
        const bodyEnd = lineStart(text, block.getEnd() - 1);
        if (bodyStart >= bodyEnd) {
            this.replace(file, statement.getStart(), first.getStart(), '');
            this.replace(file, last.getEnd(), statement.getEnd(), '');
            return;
        }
        this.replace(file, lineStart(text, statement.getStart()), bodyStart, '');
        this.replace(file, bodyEnd, lineEnd(text, block.getEnd() - 1), '');
        const unit = indentOf(text, first.getStart()).slice(indentOf(text, statement.getStart()).length);
        this.dedent(file, bodyStart, bodyEnd, unit);
    }

    /** Gives each line that begins in a stretch one level of indentation more. */
    indent(file: SourceFile, from: number, to: number, unit: string): void {
        const text = file.getFullText();
        for (const at of lineStarts(file, from, to)) {
            if (!/^[ \t]*\r?\n/.test(text.slice(at))) this.replace(file, at, at, unit);
        }
    }

    private dedent(file: SourceFile, from: number, to: number, unit: string): void {
        const text = file.getFullText();
        const goes = (at: number): boolean =>
            this.edits.some(({ file: path, start, end }) => path === file.getFilePath() && start <= at && at < end);
        for (const at of lineStarts(file, from, to)) {
            if (unit !== '' && text.startsWith(unit, at) && !goes(at)) this.replace(file, at, at + unit.length, '');
        }
    }
}

/** Where the lines of a stretch begin, without those inside a template literal, whose blanks are its text. */
function lineStarts(file: SourceFile, from: number, to: number): number[] {
    const text = file.getFullText();
    const templates = file
        .getDescendants()
        .filter(node => Node.isNoSubstitutionTemplateLiteral(node) || Node.isTemplateExpression(node))
        .map(node => ({ start: node.getStart(), end: node.getEnd() }));
    const starts: number[] = [];
    const first = lineStart(text, from) === from ? from : lineEnd(text, from);
    for (let at = first; at < to; at = lineEnd(text, at)) {
        if (!templates.some(({ start, end }) => start < at && at < end)) starts.push(at);
    }
    return starts;
}

/** The full lines of a statement and of the comments that stand directly above it. */
export function statementLines(statement: Node): { start: number; end: number } {
    const text = statement.getSourceFile().getFullText();
    let start = lineStart(text, statement.getStart());
    if (text.slice(start, statement.getStart()).trim() !== '') {
        return { start: statement.getStart(), end: statement.getEnd() };
    }
    for (const range of [...statement.getLeadingCommentRanges()].reverse()) {
        const gap = text.slice(range.getEnd(), start);
        if (/\n[ \t]*\r?\n/.test(gap) || text.slice(lineStart(text, range.getPos()), range.getPos()).trim() !== '')
            break;
        start = lineStart(text, range.getPos());
    }
    const rest = text.slice(statement.getEnd(), lineEnd(text, statement.getEnd()));
    return { start, end: /^\s*(?:\/\/.*\s*)?$/.test(rest) ? lineEnd(text, statement.getEnd()) : statement.getEnd() };
}

/** The text of full lines, at another indentation. */
export function reindented(lines: string, from: string, to: string): string {
    return lines.replace(
        /^[^\S\r\n]*(?=\S)/gm,
        indent => to + (indent.startsWith(from) ? indent.slice(from.length) : '')
    );
}

export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

export function lineEnd(text: string, offset: number): number {
    const newline = text.indexOf('\n', offset);
    return newline < 0 ? text.length : newline + 1;
}

export function indentOf(text: string, offset: number): string {
    return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

/** One level of indentation in a file, as its first indented block has it. */
export function indentUnit(file: SourceFile): string {
    const text = file.getFullText();
    for (const block of file.getDescendantsOfKind(SyntaxKind.Block)) {
        const [first] = block.getStatements();
        if (first === undefined || lineStart(text, first.getStart()) <= block.getStart()) continue;
        const unit = indentOf(text, first.getStart()).slice(indentOf(text, block.getStart()).length);
        if (unit !== '') return unit;
    }
    return '    ';
}
