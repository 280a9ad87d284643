import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { ALL, textOf } from '../clients.js';

/** A line of the report. */
export interface Line {
    readonly type: 'start' | 'finding' | 'summary';
    readonly handler?: string;
    readonly rule?: string;
    readonly api?: string;
    readonly target?: string;
    readonly file?: string;
    readonly line?: number;
    readonly [member: string]: unknown;
}

export interface Played {
    /** The text of each result, or `error: ` and its message. */
    readonly results: Record<string, string>;
    readonly stderr: string;
}

export const IMPORT = ['--import', 'mcp-mrtr/verify-replay'];

/** Starts a server over stdio, calls these tools or reads these resources one after the other, and ends it as a client does. */
export async function playStdio(
    folder: string,
    script: string,
    tools: readonly string[],
    { nodeArgs = IMPORT, output }: { readonly nodeArgs?: readonly string[]; readonly output?: string } = {}
): Promise<Played> {
    const transport = new StdioClientTransport({
        command: process.execPath,
        args: [...nodeArgs, script],
        cwd: folder,
        env: { ...(process.env as Record<string, string>), MCP_MRTR_VERIFY_OUTPUT: output ?? '' },
        stderr: 'pipe'
    });
    let stderr = '';
    transport.stderr?.on('data', chunk => (stderr += String(chunk)));
    const results = await play(transport, tools);
    return { results, stderr };
}

export async function play(transport: Transport, tools: readonly string[]): Promise<Record<string, string>> {
    const client = new Client(
        { name: 'verify', version: '1.0.0' },
        { capabilities: ALL, versionNegotiation: { mode: { pin: '2026-07-28' } } }
    );
    client.setRequestHandler('elicitation/create', ({ params }) => ({
        action: 'accept',
        content: { answer: `to ${params.message}` }
    }));
    await client.connect(transport);
    const results: Record<string, string> = {};
    try {
        for (const name of tools) {
            const answer = name.includes('://')
                ? client
                      .readResource({ uri: name })
                      .then(({ contents: [page] }) => String(page && 'text' in page && page.text))
                : client.callTool({ name, arguments: {} }).then(textOf);
            results[name] = await answer.catch((error: unknown) => `error: ${String(error)}`);
        }
    } finally {
        await client.close();
    }
    return results;
}

export function readReport(folder: string, name: string): Line[] {
    const path = join(folder, name);
    if (!existsSync(path)) return [];
    return readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Line);
}
