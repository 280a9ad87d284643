import { ts } from 'ts-morph';

export interface ParseError {
    /** From 1. */
    line: number;
    /** From 1. */
    column: number;
    message: string;
}

/**
 * Syntax errors of one text; the name decides the language. A file that has any is skipped and named, and an edited file
 * that has any is never written. Type syntax in a JavaScript file (Flow, say) counts: no engine of ours can read it.
 */
export function parseErrors(text: string, fileName: string): ParseError[] {
    const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest);
    // A program of this one file, because only a program reports type syntax in JavaScript; it resolves and binds nothing.
    const program = ts.createProgram({
        rootNames: [fileName],
        options: { allowJs: true, noResolve: true, noLib: true, types: [], jsx: ts.JsxEmit.Preserve },
        host: {
            getSourceFile: name => (name === fileName ? file : undefined),
            getDefaultLibFileName: () => 'lib.d.ts',
            writeFile: () => undefined,
            getCurrentDirectory: () => '/',
            getCanonicalFileName: name => name,
            useCaseSensitiveFileNames: () => true,
            getNewLine: () => '\n',
            fileExists: name => name === fileName,
            readFile: name => (name === fileName ? text : undefined)
        }
    });
    return program.getSyntacticDiagnostics(file).map(({ start, messageText }) => {
        const { line, character } = ts.getLineAndCharacterOfPosition(file, start);
        return { line: line + 1, column: character + 1, message: ts.flattenDiagnosticMessageText(messageText, '\n') };
    });
}
