import { Node, SyntaxKind } from 'ts-morph';
import type { FunctionNode } from '../syntax.js';
import { NotChangeable } from './change.js';
import { indentOf, indentUnit, lineStart } from './lines.js';
import type { LineEdits } from './lines.js';

/** Statements to run before anything else in a function; each may have several lines, which are indented as they say. */
export interface Beginning {
    lines: string[];
    /** One of them awaits. */
    awaits: boolean;
}

/** Puts statements at the start of a function; one that is only an expression gets a body. `dedent`: what its lines lose. */
export function beginWith(fn: FunctionNode, { lines, awaits }: Beginning, edits: LineEdits, dedent = ''): void {
    const file = fn.getSourceFile();
    const text = file.getFullText();
    const body = fn.getBody();
    if (body === undefined) throw new NotChangeable('a handler has no body', fn);
    if (awaits) makeAsync(fn, edits);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const outer = indentOf(text, body.getStart()).slice(dedent.length);
    const unit = indentUnit(file);
    if (!Node.isBlock(body)) {
        const inner = outer + unit;
        const value = Node.isParenthesizedExpression(body) ? body.getExpression() : body;
        const head = `{${eol}${lines.map(line => inner + line + eol).join('')}${inner}return `;
        edits.replace(file, body.getStart(), value.getStart(), head);
        edits.replace(file, value.getEnd(), body.getEnd(), `${semicolonOf(text)}${eol}${outer}}`);
        edits.indent(file, value.getStart(), value.getEnd(), unit);
        return;
    }
    const [first] = body.getStatements();
    const opened = body.getStart() + 1;
    if (first === undefined || lineStart(text, first.getStart()) <= opened) {
        const separator = first === undefined ? ' ' : '';
        edits.replace(file, opened, opened, ` ${lines.join(' ')}${separator}`);
        return;
    }
    const inner = indentOf(text, first.getStart()).slice(dedent.length);
    edits.replace(file, opened, opened, eol + lines.map(line => inner + line).join(eol));
}

function makeAsync(fn: FunctionNode, edits: LineEdits): void {
    if (!Node.isAsyncable(fn) || fn.isAsync()) return;
    const result = fn.getReturnTypeNode()?.getText();
    if (result !== undefined && !/^Promise\b|\bPromise</.test(result)) {
        throw new NotChangeable('a handler that has to wait for the roots says that it returns no promise', fn);
    }
    if (fn.getDescendantsOfKind(SyntaxKind.YieldExpression).length > 0) {
        throw new NotChangeable('a handler is a generator', fn);
    }
    const start = Node.isMethodDeclaration(fn) ? fn.getNameNode().getStart() : functionKeyword(fn);
    edits.replace(fn.getSourceFile(), start, start, 'async ');
}

const functionKeyword = (fn: FunctionNode): number =>
    fn.getFirstChildByKind(SyntaxKind.FunctionKeyword)?.getStart() ?? fn.getStart();

/** Whether a text ends its statements with semicolons, by the majority of its lines. */
export function semicolonOf(text: string): string {
    const ended = text.match(/;[ \t]*\r?$/gm)?.length ?? 0;
    const open = text.match(/[)\w'"`\]][ \t]*\r?$/gm)?.length ?? 0;
    return ended >= open / 2 ? ';' : '';
}
