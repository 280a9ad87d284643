import { dirname, parse, relative, sep } from 'node:path';
import { ts } from 'ts-morph';
import type { Diagnostic } from '../report.js';

/** What must hold whatever the project says: nothing is emitted, JavaScript is read, old options are no error. */
const FIXED: ts.CompilerOptions = {
    allowJs: true,
    checkJs: false,
    noEmit: true,
    skipLibCheck: true,
    ignoreDeprecations: '6.0',
    incremental: false,
    composite: false,
    declaration: false
};

/** "No inputs were found", "the 'files' list is empty": about `include` and `files`, which we do not use. */
const NO_FILES: ReadonlySet<number> = new Set([18003, 18002]);

/** For projects without a tsconfig: the most lenient resolution, since we read types and do not build. */
const DEFAULTS: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    strict: true,
    esModuleInterop: true,
    resolveJsonModule: true,
    jsx: ts.JsxEmit.Preserve
};

export interface ReadOptions {
    options: ts.CompilerOptions;
    /** Whether the globals of Node have types in the project: its `types` are not said, or name them. */
    nodeGlobals: boolean;
    diagnostics: Diagnostic[];
}

/**
 * Compiler options of the project. A tsconfig that cannot be read, is no JSON, or extends one that is missing (its
 * package is not installed) is a warning that names it; what could be read still counts.
 */
export function compilerOptions(root: string, tsconfig: string | undefined): ReadOptions {
    if (tsconfig === undefined) return { ...LENIENT, diagnostics: [] };

    const read: { config?: unknown; error?: ts.Diagnostic } = ts.readConfigFile(tsconfig, path =>
        ts.sys.readFile(path)
    );
    const { config, error } = read;
    if (error || config === undefined) {
        return { ...LENIENT, diagnostics: [warning(root, tsconfig, error)] };
    }
    const parsed = ts.parseJsonConfigFileContent(config, ts.sys, dirname(tsconfig), undefined, tsconfig);
    const problem = parsed.errors.find(
        ({ code, category }) => category === ts.DiagnosticCategory.Error && !NO_FILES.has(code)
    );
    // One package's `rootDir`, which TypeScript 6 takes from the place of the tsconfig where it is not said, would make errors
    // of the files of others. Types named here may not be installed, and ours of Node are added by `openProject`.
    const options = { ...withoutHoles(parsed.options), ...FIXED, rootDir: parse(tsconfig).root, types: [] };
    const { types } = parsed.options;
    const nodeGlobals = types === undefined || types.some(name => name === 'node' || name === '*');
    return { options, nodeGlobals, diagnostics: problem ? [warning(root, tsconfig, problem)] : [] };
}

const LENIENT = { options: { ...DEFAULTS, ...FIXED }, nodeGlobals: true };

/** A config whose base is missing names no module system; then the defaults do, all of them together. */
function withoutHoles(options: ts.CompilerOptions): ts.CompilerOptions {
    return options.module === undefined && options.moduleResolution === undefined
        ? { ...DEFAULTS, ...options }
        : options;
}

function warning(root: string, tsconfig: string, error: ts.Diagnostic | undefined): Diagnostic {
    const file = relative(root, tsconfig).split(sep).join('/');
    const why = error ? ts.flattenDiagnosticMessageText(error.messageText, ' ') : 'it is empty';
    const line =
        error?.file && error.start !== undefined
            ? ts.getLineAndCharacterOfPosition(error.file, error.start).line + 1
            : undefined;
    return {
        level: 'warning',
        code: 'tsconfig',
        message: `${file} could not be read in full (${why}). Types were read with default compiler options.`,
        file,
        ...(line !== undefined && { line })
    };
}
