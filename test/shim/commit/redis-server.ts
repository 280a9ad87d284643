import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../freePort.js';

/** Debian's `redis-server`; CI installs it. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

/** For the title of what needs it: vitest prints the titles of skipped tests, and `npm test` lists them. */
export const redisNote = hasRedisServer ? '' : ' [SKIPPED: no redis-server, try apt-get install redis-server]';

export interface RedisServer {
    readonly url: string;
    readonly close: () => Promise<void>;
}

/** Starts a server of our own on a free port of the loopback, which keeps nothing. */
export async function startRedisServer(): Promise<RedisServer> {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-mrtr-redis-'));
    const port = await freePort();
    const options = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
    const child = spawn(
        'redis-server',
        Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
        { stdio: ['ignore', 'pipe', 'inherit'] }
    );
    const exited = once(child, 'exit');
    let log = '';
    await new Promise<void>((resolve, reject) => {
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
            log += text;
            if (log.includes('Ready to accept connections')) resolve();
        });
        child.on('exit', code => reject(new Error(`redis-server ended with ${code}:\n${log}`)));
    });
    return {
        url: `redis://127.0.0.1:${port}`,
        async close() {
            child.kill();
            await exited;
            rmSync(folder, { recursive: true, force: true });
        }
    };
}
