/**
 * Member by which a Node child tells for which request it sent a message. Of the message and not of its `_meta`, so that
 * the preload can write it in front of the text without a parse.
 */
export const ORIGIN_MEMBER = 'mcp-mrtr/origin';

/**
 * Environment variable with the id of the `initialize` request. Whatever the server starts inherits the preload with it,
 * and may speak JSON-RPC to the server: only where this very request comes in, the preload begins to trace.
 */
export const TRACE_VARIABLE = 'MCP_MRTR_TRACE';
