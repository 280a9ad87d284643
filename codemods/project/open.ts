import { join } from 'node:path';
import { Project, ts } from 'ts-morph';
import type { Diagnostic } from '../report.js';
import { compilerOptions } from './compilerOptions.js';
import { resolutionWithOurPackages } from './resolution.js';

export interface OpenProjectInput {
    /** Absolute path of the working folder. */
    root: string;
    /** Absolute path → text. These hide the files on disk, and need not exist there. */
    files: ReadonlyMap<string, string>;
    /** Absolute path of the tsconfig.json that owns the files; absent for a project without one. */
    tsconfig?: string;
    /** Absolute paths of the files that import a zod of major 3; the others import 4. */
    zod3?: ReadonlySet<string>;
    /** Packages of the same workspace → their folders; their sources are read, whatever is built or installed. */
    workspace?: ReadonlyMap<string, string>;
}

export interface OpenedProject {
    project: Project;
    /** Whether the project has types for the globals of Node. */
    nodeGlobals: boolean;
    /** At most one `tsconfig` warning; the project is then read with the defaults for what could not be read. */
    diagnostics: Diagnostic[];
}

/**
 * The given files over the file system as it is, with type information. Files that they import are read from disk;
 * packages resolve as `resolution.ts` says, so node_modules may be absent. Reads only. Does not throw for anything in
 * the user's files.
 */
export function openProject({
    root,
    files,
    tsconfig,
    zod3 = new Set(),
    workspace = new Map()
}: OpenProjectInput): OpenedProject {
    const { options, nodeGlobals, diagnostics } = compilerOptions(root, tsconfig);
    const project = new Project({
        compilerOptions: options,
        skipAddingFilesFromTsConfig: true,
        skipFileDependencyResolution: true,
        resolutionHost: resolutionWithOurPackages(zod3, workspace)
    });
    // Sorted: the order of files decides the order of type ids, and with it the order of unions in error messages.
    for (const path of [...files.keys()].sort()) {
        project.createSourceFile(path, files.get(path) ?? '', { overwrite: true });
    }
    addNodeGlobals(project, root);
    return { project, nodeGlobals, diagnostics };
}

const GLOBALS = '__mcp-mrtr-globals.d.ts';

/**
 * `types` is emptied (see `compilerOptions`), so the globals of Node are asked for by a file. It is not part of the
 * project on disk and has no diagnostics of its own.
 */
function addNodeGlobals(project: Project, root: string): void {
    const file = join(root, GLOBALS);
    project.createSourceFile(file, '/// <reference types="node" />\n', {
        overwrite: true,
        scriptKind: ts.ScriptKind.TS
    });
}

/** Absolute paths of all files of a project that are on disk, those that were only read for their types included. */
export function filesRead(project: Project): string[] {
    return project
        .getProgram()
        .compilerObject.getSourceFiles()
        .map(({ fileName }) => fileName)
        .filter(path => !path.endsWith(GLOBALS));
}
