/**
 * `node --import mcp-mrtr/verify-replay server.js`: watches one run of a server and reports what would go wrong, or has
 * gone wrong, because `resumable` handlers run again in every round. Importing it is all; it exports nothing.
 *
 * The report goes to stderr, or as lines of JSON to the file that `MCP_MRTR_VERIFY_OUTPUT` names.
 */
import { openSync, writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

import { beforeEnd } from './ending.js';
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
beforeEnd(() => report.end(watch.counts));

/** @throws Error if the file cannot be written to: a check whose report is lost must not look like a clean one. */
function openReport(path: string | undefined): Report {
    // Never stdout, which may carry the protocol.
    if (path === undefined || path === '') return new Report(textFormat, text => void process.stderr.write(text));
    const file = openSync(path, 'a');
    return new Report(jsonFormat, text => void writeSync(file, text));
}
