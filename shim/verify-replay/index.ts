/**
 * `node --import mcp-mrtr/verify-replay server.js`: watches one run of a server and reports what would go wrong, or has
 * gone wrong, because `resumable` handlers run again in every round. Importing it is all; it exports nothing.
 *
 * The report goes to stderr, or as lines of JSON to the file that `MCP_MRTR_VERIFY_OUTPUT` names.
 */
import { Console } from 'node:console';
import { openSync, writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

import { instrumentFiles } from './instruments/files.js';
import { instrumentNetwork } from './instruments/network.js';
import { instrumentProcesses } from './instruments/processes.js';
import { instrumentTimers } from './instruments/timers.js';
import { instrumentVolatileValues } from './instruments/volatile-values.js';
import { jsonFormat, Report, textFormat } from './report.js';
import { Watch } from './watch.js';

const report = openReport(process.env['MCP_MRTR_VERIFY_OUTPUT']);
const watch = new Watch(finding => report.tell(finding));

await instrumentFiles(watch);
instrumentNetwork(watch);
instrumentProcesses(watch);
instrumentTimers(watch);
instrumentVolatileValues(watch);
// Names that ES modules have imported, or will, are bound to what stands in the modules now.
syncBuiltinESMExports();

watch.start();
report.start();
// No signals: a listener changes who else handles them, and keeps a busy process from dying of them.
process.once('exit', () => {
    watch.flush();
    report.end(watch.counts);
});

/** @throws Error if the file cannot be written to: a check whose report is lost must not look like a clean one. */
function openReport(path: string | undefined): Report {
    if (path !== undefined && path !== '') return new Report(jsonFormat, appendTo(path));
    // Never stdout, which may carry the protocol; and a console of its own, for servers redirect the global one. It does
    // not mind that nobody reads stderr any more, as a server must not end of it.
    const stderr = new Console(process.stderr);
    return new Report(textFormat, text => stderr.log(text));
}

function appendTo(path: string): (line: string) => void {
    try {
        const file = openSync(path, 'a');
        return line => writeLine(file, line);
    } catch (error) {
        throw new Error(`MCP_MRTR_VERIFY_OUTPUT: cannot write to ${path}`, { cause: error });
    }
}

function writeLine(file: number, line: string): void {
    try {
        writeSync(file, `${line}\n`);
    } catch (error) {
        // A full disk must not end the server; but the report is not what it seems.
        process.emitWarning(`mcp-mrtr verify-replay: a line of the report is lost: ${String(error)}`);
    }
}
