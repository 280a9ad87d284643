import { dirname } from 'node:path';
import { findingsIn } from '../checkFiles.js';
import { concernsAny } from '../files/concerns.js';
import { Owners } from '../files/owners.js';
import { openProject } from '../project/open.js';
import type { OpenedProject } from '../project/open.js';
import type { Finding } from '../report.js';
import { LINT_WORDS } from './words.js';

/** Projects stay open between files, because the types of the SDK take longer to read than a file. By tsconfig, or folder. */
const projects = new Map<string, OpenedProject>();

/**
 * What is found in one file of a project, as an editor has it. What leads to the file from others is not seen, so
 * whether a suppression is stale cannot be said.
 *
 * @param root paths of findings are relative to it.
 */
export function checkText(root: string, path: string, text: string): Finding[] {
    if (!concernsAny(text, LINT_WORDS)) return [];
    const { project } = projectOf(root, path);
    project.getSourceFile(path)?.forget();
    const file = project.createSourceFile(path, text, { overwrite: true });
    try {
        const { findings } = findingsIn(project, root, new Map([[path, text]]));
        return findings.filter(({ messageId, rule }) => rule !== 'unused-suppression' || messageId !== 'unused');
    } finally {
        file.forget();
    }
}

function projectOf(root: string, path: string): OpenedProject {
    const tsconfig = new Owners().tsconfigOf(dirname(path));
    const key = tsconfig ?? root;
    const known = projects.get(key);
    if (known !== undefined) return known;
    const opened = openProject({ root, files: new Map(), ...(tsconfig === undefined ? {} : { tsconfig }) });
    projects.set(key, opened);
    return opened;
}
