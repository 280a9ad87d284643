import type { Remark } from './official.js';

const TASKS_IMPORT =
    /^import\s+(?:type\s+)?\{([^}]*)\}\s*from\s*['"]@modelcontextprotocol\/sdk\/experimental[^'"]*['"];?[ \t]*$/gm;
const IMPORT = /^import\b[^'"]*['"][^'"]+['"];?[ \t]*$/gm;
/** Where it runs: a type, `typeof server.experimental.tasks`, has no `?.`. */
const REGISTRATION = /(?<!\btypeof\s+[\w$.]*)\.experimental\.tasks\b/g;
const GUARDED = '.experimental?.tasks';

/**
 * SDK v2 has no tasks. The official transforms take their imports out and leave what uses them, which would end the
 * server at its start: the imports stay on SDK v1, and what would register a task registers nothing.
 */
export function keepTasks(original: string, upgraded: string): { text: string; remarks: Remark[] } {
    let text = upgraded;
    const remarks: Remark[] = [];
    for (const match of original.matchAll(TASKS_IMPORT)) {
        const names = (match[1] ?? '').split(',').map(
            name =>
                name
                    .trim()
                    .split(/\s+as\s+/)
                    .at(-1) ?? ''
        );
        if (text.includes(match[0]) || !names.some(name => name !== '' && new RegExp(`\\b${name}\\b`).test(text)))
            continue;
        const before = [...original.slice(0, match.index).matchAll(IMPORT)].length;
        const imports = [...text.matchAll(IMPORT)];
        const previous = imports[Math.min(before, imports.length) - 1];
        const at = previous === undefined ? 0 : previous.index + previous[0].length + 1;
        text = `${text.slice(0, at)}${match[0]}\n${text.slice(at)}`;
    }
    text = text.replace(REGISTRATION, GUARDED);
    for (let at = text.indexOf(GUARDED); at >= 0; at = text.indexOf(GUARDED, at + 1)) {
        const line = text.slice(0, at).split('\n').length;
        remarks.push({ level: 'warning', line, message: NOT_OFFERED });
    }
    return { text, remarks };
}

const NOT_OFFERED =
    'SDK v2 has no tasks: what this registers is not offered any more. Register a tool without a task instead.';
