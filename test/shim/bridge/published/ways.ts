import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';

import { freePort } from '../../../freePort.js';
import { bridgeStdio } from '../../../../shim/index.js';
import type { OldServerFactory } from '../../../../shim/index.js';
import { builtCli } from '../../../repo.js';
import { byHttp, closeAfter, newClient, serve } from '../bridged.js';
import type { BridgedScene } from '../bridged.js';
import type { Player } from './play.js';

/** A published server, as it is started, and as it is made where its package exports that. */
export interface Published {
    readonly script: string;
    readonly args: readonly string[];
    readonly factory?: OldServerFactory;
    /** What starts it over Streamable HTTP, path /mcp, at the port that `PORT` names. */
    readonly httpArgs?: readonly string[];
}

type Connect = (server: Published, scene: BridgedScene) => Promise<Player>;

const REGISTER = ['--import', join(builtCli(), '../../shim/register/index.js')];

/** The server as it is, for a 2025-era client. */
export const plainly: Connect = ({ script, args }, scene) => overStdio([script, ...args], { ...scene, era: 'legacy' });

/** For a client that is pinned to 2026-07-28. */
export const WAYS: Readonly<Record<string, Connect>> = {
    'mcp-mrtr serve': ({ script, args }, scene) => serve([process.execPath, script, ...args], scene),
    'register, over stdio': ({ script, args }, scene) => overStdio([...REGISTER, script, ...args], scene),
    'register, over HTTP': registerOverHttp,
    bridgeHandler: ({ factory }, scene) => byHttp(factory!, scene, {}),
    bridgeStdio: async ({ factory }, scene) => {
        const { client, asked } = newClient(scene);
        const [near, far] = InMemoryTransport.createLinkedPair();
        const handle = bridgeStdio(factory!, { transport: far });
        closeAfter(() => handle.close());
        await client.connect(near);
        closeAfter(() => client.close());
        return { client, asked };
    }
};

/** The ways that a server can be gone with, as far as its package allows. */
export function waysOf({ factory, httpArgs }: Published): string[] {
    return Object.keys(WAYS).filter(way => {
        if (way.startsWith('bridge')) return factory !== undefined;
        return way !== 'register, over HTTP' || httpArgs !== undefined;
    });
}

async function overStdio(args: string[], scene: BridgedScene): Promise<Player> {
    const { client, asked } = newClient(scene);
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    closeAfter(() => client.close());
    return { client, asked };
}

async function registerOverHttp({ script, httpArgs = [] }: Published, scene: BridgedScene): Promise<Player> {
    const port = await freePort();
    const env = { ...process.env, PORT: String(port), MCP_MRTR_ANONYMOUS: 'share' };
    const child = fork(script, httpArgs, { execArgv: REGISTER, env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    closeAfter(async () => {
        if (child.exitCode !== null) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
    });
    await new Promise<void>(resolve => {
        createInterface({ input: child.stderr! }).on('line', line => /listening|port/i.test(line) && resolve());
    });
    const { client, asked } = newClient(scene);
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
    closeAfter(() => client.close());
    return { client, asked };
}
