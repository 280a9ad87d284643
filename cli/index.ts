#!/usr/bin/env node
import { main } from './main.js';

// `mcp-mrtr migrate --diff | head` closes the pipe early: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
});

// The exit code is set, not exited with, so that output to a slow pipe is not cut off.
process.exitCode = await main(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    loadCodemod: () => import('../codemods/index.js')
});
