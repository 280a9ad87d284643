import { join } from 'node:path';
import type { Facts } from '../facts/facts.js';

const CONFIGURATIONS = ['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'];

/** Modules that only Cloudflare Workers have. */
const OF_WORKERS = /['"](?:cloudflare:[\w-]+|agents\/mcp)['"]/;

/** Words for what a migrated server cannot have on Cloudflare Workers, where no process lives on between two requests. */
export interface WorkerProblem {
    code: 'worker-park' | 'worker-key';
    message: string;
    file: string;
    /** Offset in `file`. */
    at: number;
}

/**
 * What a migrated server needs that Cloudflare Workers do not have: a process that waits for the next round, and
 * `process.env` while its modules load.
 */
export function workerProblems({
    facts,
    parked,
    texts,
    packageOf,
    readFile
}: {
    facts: Facts;
    /** Ids of the handlers that wait in memory. */
    parked: ReadonlySet<string>;
    /** Absolute path → text after the migration. */
    texts: ReadonlyMap<string, string>;
    packageOf: (path: string) => string;
    readFile: (path: string) => string | undefined;
}): WorkerProblem[] {
    const known = new Map<string, boolean>();
    const onWorkers = (file: string): boolean => {
        const folder = packageOf(file);
        const found =
            known.get(folder) ??
            (CONFIGURATIONS.some(name => readFile(join(folder, name)) !== undefined) ||
                [...texts].some(([path, text]) => packageOf(path) === folder && OF_WORKERS.test(text)));
        known.set(folder, found);
        return found;
    };
    const waiting = [
        ...facts.handlers
            .filter(({ id }) => parked.has(id))
            .map(({ file, callback }) => ({ file, at: callback.start })),
        ...facts.servers
            .filter(({ parks }) => parks === true)
            .map(({ file, construction }) => ({ file, at: construction.start }))
    ].filter(({ file }) => onWorkers(file));
    const packages = new Set<string>();
    const keyed = facts.servers.filter(({ file }) => {
        const first = /\battach\(/.test(texts.get(file) ?? '') && onWorkers(file) && !packages.has(packageOf(file));
        if (first) packages.add(packageOf(file));
        return first;
    });
    return [
        ...waiting.map((one): WorkerProblem => ({ ...one, code: 'worker-park', message: PARK })),
        ...keyed.map(({ file, construction }): WorkerProblem => ({
            file,
            at: construction.start,
            code: 'worker-key',
            message: KEY
        }))
    ];
}

const PARK =
    'It would wait in memory for the answer (mode park), and a Worker does not live on until the next round, which may come ' +
    'to another one. Migrate with --effects mark, and put what must not run twice into ctx.once yourself.';

const KEY =
    'The runtime reads process.env.MCP_STATE_KEY while modules load. A Worker has that only with nodejs_compat and a ' +
    'compatibility date from 2025-04-01 (or the flag nodejs_compat_populate_process_env); else give the key of its env to createMrtr.';
