import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { ALL, textOf } from '../clients.js';
import { startProxy } from './proxy.js';
import type { Proxy } from './proxy.js';

/** Three instances of one server behind a load balancer, and a client that plays calls against them. */
export interface Fleet {
    readonly proxy: Proxy;
    /** Lines that the instances have written, of one kind. */
    readonly lines: (kind: 'attempt' | 'once' | 'effect') => string[];
    /** Ends an instance in the middle of whatever it does. */
    readonly kill: (instance: number) => void;
    /** Plays a call of so many rounds to its end, and returns its text. */
    readonly play: (flow: number, rounds: number) => Promise<string>;
    readonly close: () => Promise<void>;
}

const INSTANCES = 3;

/**
 * @param compiled folder of `compileShim`.
 * @param choose which instance a request goes to.
 */
export async function startFleet(
    compiled: string,
    mode: 'replay' | 'park',
    choose: (n: number, body: string) => number
): Promise<Fleet> {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-mrtr-fleet-'));
    const journal = join(folder, 'journal');
    writeFileSync(journal, '');
    const script = join(compiled, 'test/shim/fleet/instance.js');
    const children = Array.from({ length: INSTANCES }, () => fork(script, [journal, mode]));
    const ports = await Promise.all(children.map(portOf));
    const proxy = await startProxy(ports, choose);

    const client = new Client(
        { name: 'fleet', version: '1.0.0' },
        { capabilities: ALL, versionNegotiation: { mode: { pin: '2026-07-28' } } }
    );
    client.setRequestHandler('elicitation/create', ({ params }) => ({
        action: 'accept',
        content: { answer: `to ${params.message}` }
    }));
    await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url)));
    return {
        proxy,
        lines: kind =>
            readFileSync(journal, 'utf8')
                .split('\n')
                .filter(line => line.startsWith(`${kind} `)),
        kill: instance => void children[instance]?.kill('SIGKILL'),
        play: async (flow, rounds) => textOf(await client.callTool({ name: 'order', arguments: { flow, rounds } })),
        async close() {
            await client.close();
            await proxy.close();
            await Promise.all(children.map(end));
            rmSync(folder, { recursive: true, force: true });
        }
    };
}

async function portOf(child: ChildProcess): Promise<number> {
    const [port] = (await once(child, 'message')) as [number];
    return port;
}

async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
}
