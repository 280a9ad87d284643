import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Lines of files below a folder; a file is read when its first line is asked for. */
export function sourceLines(cwd: string): (file: string, line: number) => string | undefined {
    const files = new Map<string, string[]>();
    return (file, line) => {
        let lines = files.get(file);
        if (lines === undefined) {
            lines = linesOf(resolve(cwd, file));
            files.set(file, lines);
        }
        return lines[line - 1];
    };
}

function linesOf(path: string): string[] {
    try {
        return readFileSync(path, 'utf8').split(/\r?\n/);
    } catch {
        return [];
    }
}
