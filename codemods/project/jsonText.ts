import { ts } from 'ts-morph';

export interface JsonText {
    value: unknown;
    /** The first syntax error; the value is then what could be read. */
    problem: { line: number; column: number; message: string } | undefined;
    /** Where a property stands, by its path: `['check', 'level']`. The start of the text for what is not there. */
    placeOf(path: readonly string[]): { line: number; column: number };
}

/** JSON with the places of its properties. A byte order mark and comments are no error, as in tsconfig.json. */
export function parseJson(text: string): JsonText {
    const file = ts.parseJsonText('text.json', text.replace(/^\uFEFF/, ''));
    const { config } = ts.parseConfigFileTextToJson('text.json', file.text) as { config?: unknown };
    const place = (position: number): { line: number; column: number } => {
        const { line, character } = ts.getLineAndCharacterOfPosition(file, position);
        return { line: line + 1, column: character + 1 };
    };
    // The parser keeps its diagnostics to itself in its public types.
    const { parseDiagnostics = [] } = file as ts.JsonSourceFile & { parseDiagnostics?: readonly ts.Diagnostic[] };
    const [first] = parseDiagnostics;
    return {
        value: config,
        problem:
            first === undefined
                ? undefined
                : { ...place(first.start ?? 0), message: ts.flattenDiagnosticMessageText(first.messageText, ' ') },
        placeOf: path => place(propertyAt(file, path)?.getStart(file) ?? 0)
    };
}

function propertyAt(file: ts.JsonSourceFile, path: readonly string[]): ts.Node | undefined {
    let value: ts.Expression | undefined = file.statements[0]?.expression;
    let property: ts.Node | undefined;
    for (const name of path) {
        if (value === undefined || !ts.isObjectLiteralExpression(value)) return property;
        const found: ts.ObjectLiteralElementLike | undefined = value.properties.find(
            one => one.name !== undefined && ts.isStringLiteral(one.name) && one.name.text === name
        );
        if (found === undefined) return property;
        property = found;
        value = ts.isPropertyAssignment(found) ? found.initializer : undefined;
    }
    return property;
}
