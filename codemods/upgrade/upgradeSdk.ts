import type { Diagnostic } from '../report.js';
import { asWritten, backToModules } from './backToModules.js';
import { runOfficial, OfficialTransformError, type ProjectType } from './official.js';
import { presentAsImports } from './presentAsImports.js';
import { projectTypeOf } from './projectType.js';
import { restoreLines } from './restoreLines.js';
import { takeApart } from './sourceForm.js';

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
    for (const [file, text] of files) {
        if (!text.includes(SDK_V1)) continue;
        const form = takeApart(text);
        try {
            const presented = presentAsImports(form.body, file);
            const upgraded = runOfficial(presented.text, file, form, projectType);
            const body = backToModules(upgraded.text, file, presented);
            if (body !== form.body) result.files.set(file, restoreLines(form, body));
            for (const { level, line, message } of upgraded.remarks) {
                result.diagnostics.push({
                    level,
                    code: 'sdk-upgrade',
                    message: asWritten(message, presented),
                    file,
                    line: line + form.prefixLines
                });
            }
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
