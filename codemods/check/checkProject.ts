import { GATE_WORDS } from '../facts/surface.js';
import { checkFiles } from '../checkFiles.js';
import type { StaleSuppression } from '../checkFiles.js';
import { loadProject } from '../loadProject.js';
import type { Diagnostic, Finding } from '../report.js';

export interface CheckOptions {
    /** The working folder: paths are given and reported relative to it. */
    cwd: string;
    /** Files and folders; none means the working folder. */
    paths: string[];
}

export interface CheckResult {
    /** In order of place, suppressed ones included. */
    findings: Finding[];
    /** Comments that suppress nothing, which `--fix` takes out. */
    stale: StaleSuppression[];
    /** Files that were left out for an error. */
    failures: Diagnostic[];
    /** What was read, and what could not be: a tsconfig with an error. */
    diagnostics: Diagnostic[];
}

/** Beside what concerns the migration: code that was migrated, and comments of this tool. */
const LINT_WORDS = [...GATE_WORDS, 'mcp-mrtr'];

/**
 * Checks what lies under the paths. Reads only.
 * @throws NoSuchPathError
 */
export function check({ cwd, paths }: CheckOptions): CheckResult {
    const project = loadProject(cwd, paths, { words: LINT_WORDS });
    const { root, files, tsconfig, zod, discovery, failures } = project;
    if (files.size === 0) return { findings: [], stale: [], failures, diagnostics: [] };
    const checked = checkFiles({
        root,
        files,
        zod,
        workspace: discovery.packages,
        ...(tsconfig === undefined ? {} : { tsconfig })
    });
    return { ...checked, failures };
}
