/** What stands above each sample of a rule: a server on SDK v2 with the runtime, and a shop around it. */
export const SAMPLE_PRELUDE = `import { randomUUID } from 'node:crypto';
import { appendFile, open } from 'node:fs/promises';
import { McpServer, UrlElicitationRequiredError, acceptedContent, createRequestStateCodec, inputRequired } from '@modelcontextprotocol/server';
import { clientCapabilities, createMrtr, elicit, elicitUrl, listRoots, sample, type NeedContext } from 'mcp-mrtr';
import { z } from 'zod';
import { attach, resumable } from './mrtr.js';

const server = attach(new McpServer({ name: 'shop', version: '1.0.0' }));
const CONFIG = { inputSchema: z.object({ order: z.string() }) };
const FORM = { type: 'object' as const, properties: { confirm: { type: 'boolean' as const } } };
const text = (line: string) => ({ content: [{ type: 'text' as const, text: line }] });
const roots = new Set<string>();
const queue: string[] = [];
const carts = new Map<string, string[]>();
declare const mutex: { runExclusive<T>(fn: () => Promise<T>): Promise<T> };
declare function lookUp(name: string): Promise<string>;
`;

/** The text of the file `mrtr.ts` beside each sample, as the migration writes it. */
export const SAMPLE_RUNTIME = `import { createMrtr } from 'mcp-mrtr';

export const { attach, resumable } = createMrtr({ key: process.env.MCP_STATE_KEY });
`;
