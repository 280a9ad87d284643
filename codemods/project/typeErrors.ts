import { relative, sep } from 'node:path';
import { ts, type Project } from 'ts-morph';

/** A multiset of type errors. */
export type TypeErrors = ReadonlyMap<string, { error: TypeError; count: number }>;

export interface TypeError {
    path: string;
    code: number;
    message: string;
}

const JAVASCRIPT = /\.[cm]?jsx?$/;

/**
 * Errors of the given files (absolute paths, POSIX or native) with their number. Lines and columns are no part of an
 * error, since an edit above moves it. JavaScript is not checked, so only its syntax errors count.
 */
export function typeErrors(project: Project, root: string, files: Iterable<string>): TypeErrors {
    const program = project.getProgram().compilerObject;
    const errors = new Map<string, { error: TypeError; count: number }>();
    for (const path of [...files].sort()) {
        const file = project.getSourceFile(path)?.compilerNode;
        if (!file) continue;
        const found: readonly ts.Diagnostic[] = JAVASCRIPT.test(path)
            ? program.getSyntacticDiagnostics(file)
            : [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
        for (const { category, code, messageText } of found) {
            if (category !== ts.DiagnosticCategory.Error) continue;
            const error = { path: relative(root, path).split(sep).join('/'), code, message: headline(messageText) };
            const key = keyOf(error);
            errors.set(key, { error, count: (errors.get(key)?.count ?? 0) + 1 });
        }
    }
    return errors;
}

/** `a − b`: the errors of `a` that `b` has less often, one entry for each. */
export function errorDifference(a: TypeErrors, b: TypeErrors): TypeError[] {
    return [...a].flatMap(([key, { error, count }]) => {
        const more = Math.max(0, count - (b.get(key)?.count ?? 0));
        return Array.from({ length: more }, () => error);
    });
}

export function countErrors(errors: TypeErrors): number {
    let total = 0;
    for (const { count } of errors.values()) total += count;
    return total;
}

/** Elaborations below the first line list overloads and members; they change with code far away. */
function headline(text: string | ts.DiagnosticMessageChain): string {
    return typeof text === 'string' ? text : text.messageText;
}

/**
 * What makes two errors the same. Unions print in the order in which the checker met their members, which any edit can
 * change, so the words of a quoted type count without their order.
 */
function keyOf({ path, code, message }: TypeError): string {
    const unordered = message.replace(/'([^']* \| [^']*)'/g, (_, type: string) => type.split(/\W+/).sort().join(' '));
    return JSON.stringify([path, code, unordered]);
}
