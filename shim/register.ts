/**
 * Reserved for `node --import mcp-mrtr/register server.js`, which will serve an unmodified server of SDK v1 on
 * protocol revision 2026-07-28 in its own process.
 */
throw new Error(
    'mcp-mrtr/register: the in-process bridge is not part of this version. ' +
        'Migrate the server with `npx mcp-mrtr migrate`, or wrap its handlers with resumable() from mcp-mrtr.'
);

export {};
