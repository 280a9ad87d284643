import MagicString from 'magic-string';
import { ts } from 'ts-morph';

const OLD_METHODS = new Set(['tool', 'prompt', 'resource']);
const NEW_METHODS = new Set(['registerTool', 'registerPrompt', 'registerResource']);

/**
 * `.tool(…)` becomes `.registerTool(…)` with all arguments behind the parenthesis, whatever it looked like. Where the
 * old call had its arguments on lines of their own the new one gets that too, and the callback's lines stay as they were.
 */
export function keepArgumentLines(before: string, after: string, fileName: string): string {
    const calls = (text: string) => registrations(ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true));
    const old = calls(before);
    const now = calls(after);
    // The transform rewrites registrations where they stand. If it did not, nothing says which call was which.
    if (old.length !== now.length) return after;
    const edits = new MagicString(after);
    old.forEach((oldCall, index) => {
        const newCall = now[index];
        if (!newCall || !OLD_METHODS.has(methodOf(oldCall)) || !NEW_METHODS.has(methodOf(newCall))) return;
        const layout = layoutOf(oldCall);
        if (layout) apply(layout, newCall, edits);
    });
    return edits.toString();
}

function registrations(file: ts.SourceFile): ts.CallExpression[] {
    const found: ts.CallExpression[] = [];
    const visit = (node: ts.Node): void => {
        if (ts.isCallExpression(node)) {
            const method = methodOf(node);
            if (OLD_METHODS.has(method) || NEW_METHODS.has(method)) found.push(node);
        }
        ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
}

function methodOf({ expression }: ts.CallExpression): string {
    return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

interface Layout {
    /** From the parenthesis to the first argument; between arguments; from the last one to the parenthesis. */
    open: string;
    between: string;
    close: string;
}

/** Undefined where the first argument stands behind the parenthesis, or a comment stands between arguments. */
function layoutOf(call: ts.CallExpression): Layout | undefined {
    const gaps = gapsOf(call).map(([start, end]) => call.getSourceFile().text.slice(start, end));
    const open = gaps[0] ?? '';
    const close = gaps.at(-1) ?? '';
    if (!/^\s*\n\s*$/.test(open) || !/^,?\s*$/.test(close)) return undefined;
    return { open, between: `,${open}`, close };
}

function apply({ open, between, close }: Layout, call: ts.CallExpression, edits: MagicString): void {
    const gaps = gapsOf(call);
    gaps.forEach(([start, end], index) => {
        const text = index === 0 ? open : index === gaps.length - 1 ? close : between;
        if (start === end) edits.appendLeft(start, text);
        else edits.overwrite(start, end, text);
    });
}

/** Offsets of what surrounds the arguments, without the parentheses. */
function gapsOf(call: ts.CallExpression): [number, number][] {
    const ends = [call.arguments.pos, ...call.arguments.map(argument => argument.getEnd())];
    const starts = [...call.arguments.map(argument => argument.getStart()), call.getEnd() - 1];
    return ends.map((end, index) => [end, starts[index] ?? end]);
}
