import { join, resolve } from 'node:path';
import { checkFiles } from '../checkFiles.js';
import type { CheckedFiles, StaleSuppression } from '../checkFiles.js';
import type { FileChange } from '../files/commitChanges.js';
import { loadProject } from '../loadProject.js';
import type { LoadedProject } from '../loadProject.js';
import { compilerOptions } from '../project/compilerOptions.js';
import type { Diagnostic, Finding } from '../report.js';
import { digest, ownStamp, ResultCache } from './cache.js';
import { LINT_WORDS } from './words.js';

export interface CheckOptions {
    /** The working folder: paths are given and reported relative to it. */
    cwd: string;
    /** Files and folders; none means the working folder. */
    paths: string[];
    /** A folder for results of earlier runs; none means that everything is read anew. */
    cache?: string;
}

export interface CheckResult {
    /** In order of place, suppressed ones included. */
    findings: Finding[];
    /** What `--fix` writes: the files without the comments that suppress nothing. `commit` writes it. */
    fixes: FileChange[];
    /** Files that were left out for an error. */
    failures: Diagnostic[];
    /** About the project: a tsconfig with an error. */
    diagnostics: Diagnostic[];
}

/**
 * Checks what lies under the paths. Reads only, but for the cache.
 * @throws NoSuchPathError
 */
export function check({ cwd, paths, cache }: CheckOptions): CheckResult {
    const project = loadProject(cwd, paths, { words: LINT_WORDS, importers: false });
    if (project.files.size === 0) return { findings: [], fixes: [], failures: project.failures, diagnostics: [] };
    const { findings, stale, diagnostics } = cache === undefined ? checkLoaded(project) : cached(project, paths, cache);
    return { findings, fixes: fixesOf(project, stale), failures: project.failures, diagnostics };
}

function checkLoaded({ root, files, texts, failures, tsconfig, zod, discovery }: LoadedProject): CheckedFiles {
    const left = new Set(failures.map(({ file }) => resolve(root, file ?? '')));
    return checkFiles({
        root,
        files,
        others: new Map([...texts].filter(([path]) => !files.has(path) && !left.has(path))),
        zod3: zod.zod3,
        workspace: discovery.packages,
        ...(tsconfig === undefined ? {} : { tsconfig })
    });
}

function cached(project: LoadedProject, paths: readonly string[], folder: string): CheckedFiles {
    const { root, texts, tsconfig, zod, discovery } = project;
    const options = JSON.stringify([compilerOptions(root, tsconfig).options, [...zod.zod3], [...discovery.packages]]);
    const cache = new ResultCache<Omit<CheckedFiles, 'read'>>(
        folder,
        [root, ...paths],
        digest([ownStamp(), options, ...[...texts].flat()])
    );
    const known = cache.read();
    if (known !== undefined) return { ...known, read: [] };
    const { read, ...result } = checkLoaded(project);
    // An install changes what is resolved, and with it nothing that was read before.
    const installed = [root, ...project.discovery.packages.values()].map(one => join(one, 'node_modules'));
    cache.write(result, [...read, ...installed]);
    return { ...result, read };
}

function fixesOf({ root, texts, marked }: LoadedProject, stale: readonly StaleSuppression[]): FileChange[] {
    const files = [...new Set(stale.map(({ file }) => file))];
    return files.flatMap(file => {
        const absolutePath = resolve(root, file);
        const text = texts.get(absolutePath);
        if (text === undefined) return [];
        const cuts = stale.filter(one => one.file === file).sort((a, b) => b.start - a.start);
        const after = cuts.reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
        const mark = marked.has(absolutePath) ? '\uFEFF' : '';
        return [
            { path: file, absolutePath, before: mark + text, after: mark + after, group: `suppressions of ${file}` }
        ];
    });
}
