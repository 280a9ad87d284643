import { registersOldWay } from '../facts/registrations.js';
import type { Diagnostic } from '../report.js';
import { asWritten, backToModules } from './backToModules.js';
import { keepArgumentLines } from './keepArgumentLines.js';
import { keepTasks } from './keepTasks.js';
import { OfficialTransformError, runOfficial, type ProjectType, type Remark } from './official.js';
import { presentAsImports } from './presentAsImports.js';
import { projectTypeOf } from './projectType.js';
import { originalLines, restoreLines } from './restoreLines.js';
import { takeApart } from './sourceForm.js';
import { upgradeStrayReferences } from './strayReferences.js';

export interface UpgradeInput {
    /** Path → text. Paths are only names here; the extension decides the language. */
    files: ReadonlyMap<string, string>;
    /** Decides where names go that both v2 packages export. Absent: what the files import says so. */
    projectType?: ProjectType;
}

export interface UpgradeResult {
    /** Every given file, upgraded or as it was. */
    files: Map<string, string>;
    /** `sdk-upgrade` messages, `file` as given, `line` of the given text. */
    diagnostics: Diagnostic[];
}

/** Files that do not say this are left alone. */
const SDK_V1 = '@modelcontextprotocol/sdk';

/**
 * SDK v1 → v2 in memory, by the official transforms. A file in which one of them fails stays as it was, with an `error`
 * diagnostic. Outside of what was rewritten a file keeps every byte: line breaks, indentation, byte order mark,
 * shebang, final newline. package.json is not touched (see `upgradeManifests`).
 */
export function upgradeSdk({ files, projectType = projectTypeOf(files.values()) }: UpgradeInput): UpgradeResult {
    const result: UpgradeResult = { files: new Map(files), diagnostics: [] };
    // In a project of SDK v1 alone: elsewhere a `server.tool(…)` is somebody else's.
    const usesV1 = [...files.values()].some(text => text.includes(SDK_V1));
    for (const [file, text] of files) {
        if (!text.includes(SDK_V1) && !(usesV1 && registersOldWay(text))) continue;
        try {
            const upgraded = upgradeWithImport(text, file, projectType);
            result.files.set(file, upgraded.text);
            for (const remark of upgraded.remarks) result.diagnostics.push({ ...remark, code: 'sdk-upgrade', file });
        } catch (error) {
            if (!(error instanceof OfficialTransformError)) throw error;
            result.diagnostics.push({
                level: 'error',
                code: 'sdk-upgrade',
                message: `${error.message}. The file stays on SDK v1; upgrade it by hand.`,
                file
            });
        }
    }
    return result;
}

/** The official transforms look at files that import the SDK only; one that does not is lent an import meanwhile. */
function upgradeWithImport(text: string, file: string, projectType: ProjectType): ReturnType<typeof upgradeFile> {
    if (text.includes(SDK_V1)) return upgradeFile(text, file, projectType);
    const [before, after] = lentImport(text);
    const shebang = /^#!.*\r?\n/.exec(text)?.[0] ?? '';
    const { text: upgraded, remarks } = upgradeFile(shebang + before + text.slice(shebang.length), file, projectType);
    const lent = upgraded.indexOf(after);
    if (lent < 0) return { text, remarks: [] };
    return {
        text: upgraded.slice(0, lent) + upgraded.slice(lent + after.length),
        remarks: remarks.map(remark => ({ ...remark, line: Math.max(1, remark.line - 1) }))
    };
}

/** One line that names the SDK, as it is written and as it comes back. */
function lentImport(text: string): [string, string] {
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const commonJs = /\brequire\(/.test(text) && !/^import\b/m.test(text);
    const line = (module: string): string =>
        (commonJs ? `const { McpServer } = require('${module}');` : `import { McpServer } from '${module}';`) + eol;
    return [line('@modelcontextprotocol/sdk/server/mcp.js'), line('@modelcontextprotocol/server')];
}

function upgradeFile(text: string, file: string, projectType: ProjectType): { text: string; remarks: Remark[] } {
    const form = takeApart(text);
    const presented = presentAsImports(form.body, file);
    const official = runOfficial(presented.text, file, form, projectType);
    const back = keepHeader(
        form.body,
        keepArgumentLines(form.body, backToModules(official.text, file, presented), file)
    );
    const tasks = keepTasks(form.body, back);
    const strays = upgradeStrayReferences(tasks.text, file, projectType);
    const lineBefore = originalLines(form.body, tasks.text);
    const remarks = [
        ...official.remarks
            .filter(({ message }) => !(presented.commonJs && message.includes(NO_ZOD_IMPORT)))
            .map(remark => ({ ...remark, message: asWritten(remark.message, presented) })),
        ...[...tasks.remarks, ...strays.remarks].map(remark => ({ ...remark, line: lineBefore(remark.line) }))
    ];
    return {
        text: strays.text === form.body ? text : restoreLines(form, strays.text),
        remarks: remarks.map(remark => ({ ...remark, line: remark.line + form.prefixLines }))
    };
}

/** The comments that a file begins with, with the blank lines behind them. */
const HEADER = /^(?:[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/)[ \t]*\n|[ \t]*\n)+/;

/** A licence above a first import that goes is not the import's own, and stays. */
function keepHeader(before: string, after: string): string {
    const header = HEADER.exec(before)?.[0] ?? '';
    if (header.trim() === '' || after.includes(header.trim())) return after;
    return header + after.trimStart();
}

/** Said of a `z` that comes from a `require` among other declarations, which is as good as an import. */
const NO_ZOD_IMPORT = 'in this file is not a value import from zod';
