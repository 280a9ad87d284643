import { relative } from 'node:path';
import { openProject } from './project/open.js';
import { findSites, ruleFor } from './project/sites.js';
import { isTestFile } from './project/syntax.js';
import type { Diagnostic, Finding } from './report.js';
import { ruleById } from './rules/index.js';

export interface CheckInput {
    root: string;
    /** Absolute path → text of every file that passed the gate. */
    files: ReadonlyMap<string, string>;
    tsconfig?: string;
    zod?: 3 | 4;
}

/**
 * Every push call of SDK v1 and v2 in the given files: exactly the calls that the migration knows, tests and look-alikes
 * left out. Finds them with types where there are some, by name and receiver where there are none.
 */
export function checkFiles({ root, files, tsconfig, zod }: CheckInput): {
    findings: Finding[];
    diagnostics: Diagnostic[];
} {
    const { project, diagnostics } = openProject({
        root,
        files,
        ...(tsconfig === undefined ? {} : { tsconfig }),
        ...(zod === undefined ? {} : { zod })
    });
    const findings: Finding[] = [];
    for (const path of [...files.keys()].sort()) {
        const file = project.getSourceFile(path);
        const name = relative(root, path).replace(/\\/g, '/');
        if (file === undefined || isTestFile(name)) continue;
        for (const { node, kind, form, api, ownership } of findSites(file)) {
            if (ownership.kind === 'foreign') continue;
            const rule = ruleFor(kind, form);
            const { line, column } = file.getLineAndColumnAtPos(node.getStart());
            const meta = ruleById(rule)?.meta;
            findings.push({
                rule,
                messageId: 'todo',
                file: name,
                line,
                column,
                endLine: node.getEndLineNumber(),
                level: 'error',
                message: `${api}: ${meta?.summary ?? ''} Next: ${meta?.messages['todo'] ?? ''}.`
            });
        }
    }
    return { findings, diagnostics };
}
