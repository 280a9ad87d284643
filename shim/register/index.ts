/**
 * `node --import mcp-mrtr/register server.js`: an unmodified push-style server, whatever SDK or bundle it is made of,
 * serves 2026-07-28 clients over stdio and Streamable HTTP from its own process. 2025-era clients get what they always
 * got: nothing is touched until a message of 2026-07-28 comes in (DESIGN rule 24).
 *
 * `MCP_STATE_KEY` seals what calls have learned, where several instances serve HTTP. `MCP_MRTR_MODE` is `park`, `auto`
 * (the default) or `replay`. `MCP_MRTR_ANONYMOUS` is what HTTP callers without credentials get: `isolate` (the default), a
 * session for each request, or `share`, one for all.
 */
import { isMainThread } from 'node:worker_threads';

import { registerOptions } from './options.js';
import { tapHttp } from './http-tap.js';
import { tapStdio } from './stdio-tap.js';

if (isMainThread) {
    const options = registerOptions(process.env);
    tapStdio(options);
    tapHttp(options);
}
