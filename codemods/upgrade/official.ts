import {
    getMigration,
    type Diagnostic as OfficialDiagnostic,
    type TransformContext
} from '@modelcontextprotocol/codemod';
// Beside codemods/project/ this folder imports ts-morph, because the official transforms take its source files.
import { IndentationText, Project, QuoteKind, type SourceFile } from 'ts-morph';
import { originalLines } from './restoreLines.js';
import type { SourceForm } from './sourceForm.js';

export type ProjectType = TransformContext['projectType'];

/** A remark of the official codemod; `line` is of the text that it was given. */
export interface Remark {
    level: 'error' | 'warning' | 'info';
    line: number;
    message: string;
}

export interface OfficialResult {
    text: string;
    remarks: Remark[];
}

/** One of the official transforms threw; the text is to stay as it was. */
export class OfficialTransformError extends Error {
    constructor(
        readonly transform: string,
        cause: unknown
    ) {
        // ts-morph goes on with the text that it would have written.
        const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
        super(`the official transform "${transform}" failed (${reason})`, { cause });
        this.name = 'OfficialTransformError';
    }
}

const { transforms } = getMigration('v1-to-v2') ?? { transforms: [] };

/**
 * The official v1-to-v2 transforms on one text, with LF line breaks and no shebang. Its comments are not inserted: they
 * would be markers of another tool in the user's file, and what they say is in `remarks`.
 * @throws OfficialTransformError
 */
export function runOfficial(
    text: string,
    path: string,
    form: Pick<SourceForm, 'indent' | 'quote'>,
    projectType: ProjectType
): OfficialResult {
    const file = inMemory(path, text, form);
    const found: { remark: OfficialDiagnostic; seenIn: string }[] = [];
    let changes = 0;
    for (const transform of transforms) {
        const seenIn = file.getFullText();
        try {
            const result = transform.apply(file, { projectType });
            changes += result.changesCount;
            found.push(...result.diagnostics.map(remark => ({ remark, seenIn })));
        } catch (error) {
            throw new OfficialTransformError(transform.id, error);
        }
    }
    const after = file.getFullText();
    const remarks = found
        // Guesses ("verify this") about a file that nothing touched would come again on every run.
        .filter(({ remark }) => changes > 0 || !remark.advisoryOnly)
        .map(({ remark, seenIn }) => ({
            level: remark.level,
            message: remark.message,
            line: lineOf(remark, { text, seenIn, after })
        }));
    return { text: changes > 0 ? after : text, remarks };
}

/** A project per file: quotes, indentation and line breaks are settings of the project. */
function inMemory(path: string, text: string, { indent, quote }: Pick<SourceForm, 'indent' | 'quote'>): SourceFile {
    const project = new Project({
        useInMemoryFileSystem: true,
        skipLoadingLibFiles: true,
        skipFileDependencyResolution: true,
        compilerOptions: { allowJs: true, noEmit: true, noLib: true },
        manipulationSettings: {
            indentationText: INDENTATION[indent],
            quoteKind: quote === "'" ? QuoteKind.Single : QuoteKind.Double
        }
    });
    return project.createSourceFile(path, text);
}

const INDENTATION = {
    '\t': IndentationText.Tab,
    '  ': IndentationText.TwoSpaces,
    '    ': IndentationText.FourSpaces,
    '        ': IndentationText.EightSpaces
} as const;

/** A remark with a node knows its line in the final text; one without, or whose node is gone, that when it was made. */
function lineOf(
    remark: OfficialDiagnostic,
    { text, seenIn, after }: { text: string; seenIn: string; after: string }
): number {
    try {
        if (remark.resolveCurrentLine) return originalLines(text, after)(remark.resolveCurrentLine());
    } catch {
        // ts-morph throws for a node that a later transform replaced.
    }
    return originalLines(text, seenIn)(remark.line);
}
