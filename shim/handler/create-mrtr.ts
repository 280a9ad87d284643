import type { ServerOptions } from '@modelcontextprotocol/server';

import { systemTiming } from '../exchange/timing.js';
import type { Timing } from '../exchange/timing.js';
import { ParkTable } from '../park/park-table.js';
import { createKeyRing, randomSecret } from '../state/key-ring.js';
import { createSealer, isSealedState } from '../state/sealer.js';
import { attachSeam } from './attach.js';
import type { AttachableServer, SeamRequest } from './attach.js';
import { muteCompletionNotifier } from './completion-notifier.js';
import { both, debugHooks } from './debug.js';
import type { MrtrOptions } from './options.js';
import { createResumable } from './resumable.js';
import type { RunHandler } from './resumable.js';
import type { Resumable } from './resumable-types.js';
import { createSeam, measureJournal } from './seam.js';

export interface Mrtr extends AsyncDisposable {
    /**
     * Attaches a server before its first registration and returns it: `const server = attach(new McpServer(…))`.
     *
     * @throws AttachedTooLateError if a tool, prompt or resource has been registered already.
     */
    readonly attach: <Server extends AttachableServer>(server: Server, options?: AttachOptions) => Server;
    readonly resumable: Resumable;
    /**
     * The `requestState` option of a server that also holds hand-written multi round-trip handlers: states of this
     * instance pass by its `verify`, which sees only the others.
     */
    readonly requestState: (verify?: StateVerifier) => { verify: StateVerifier };
    /**
     * Ends the calls that wait in memory under mode `park` or `auto`, for a process that stops: their asks reject as
     * pushed requests that timed out, and their clients are told to call again. Resolves when their handlers have
     * cleaned up, or after a second.
     */
    readonly close: () => Promise<void>;
}

export interface AttachOptions {
    /**
     * `park`: every handler of the server is resumable and waits in memory for its answers. For servers of which is not
     * known which handlers ask, because they ask with the function `need`.
     */
    readonly mode?: 'park';
}

/** `ServerOptions.requestState.verify`, as `createRequestStateCodec` makes it. */
export type StateVerifier = NonNullable<NonNullable<ServerOptions['requestState']>['verify']>;

const DEFAULT_TTL_SECONDS = 600;
const DEFAULT_FLOW_TTL_SECONDS = 3600;
const DEFAULT_MAX_STATE_BYTES = 64 * 1024;
const DEFAULT_MAX_PARKED = 10_000;
const DEFAULT_MAX_PARKED_PER_PRINCIPAL = 1000;

/**
 * Makes the functions with which a server asks its client in the middle of a call, on protocol revision 2026-07-28 and
 * on the ones before it. Make one per process and share it between servers.
 *
 * @throws RangeError for a key below 32 bytes, or a number that is not positive.
 */
export function createMrtr(options: MrtrOptions = {}): Mrtr {
    return createMrtrIn(systemTiming, options);
}

/**
 * {@link createMrtr} in a time of its own.
 *
 * @param runHandler runs each handler; by default so that the function `need` finds it.
 */
export function createMrtrIn(timing: Timing, options: MrtrOptions, runHandler?: RunHandler): Mrtr {
    const { key, keys } = options;
    const ttlSeconds = positive('ttlSeconds', options.ttlSeconds ?? DEFAULT_TTL_SECONDS);
    const flowTtlSeconds = positive('flowTtlSeconds', options.flowTtlSeconds ?? DEFAULT_FLOW_TTL_SECONDS);
    const maxBytes = positive('maxStateBytes', options.maxStateBytes ?? DEFAULT_MAX_STATE_BYTES);
    if (key !== undefined && keys !== undefined) throw new TypeError('createMrtr: give key or keys, not both');
    const secrets = keys ?? (key === undefined ? undefined : [key]);
    const sealer = createSealer({
        keys: createKeyRing(secrets ?? [randomSecret()]),
        ttlSeconds,
        flowTtlSeconds,
        maxBytes,
        now: () => timing.now(),
        measure: measureJournal
    });
    const parked = new ParkTable(
        {
            maxParked: positive('maxParked', options.maxParked ?? DEFAULT_MAX_PARKED),
            maxParkedPerPrincipal: positive(
                'maxParkedPerPrincipal',
                options.maxParkedPerPrincipal ?? DEFAULT_MAX_PARKED_PER_PRINCIPAL
            ),
            ttlMs: ttlSeconds * 1000,
            flowTtlMs: flowTtlSeconds * 1000
        },
        timing
    );
    const warn = onceEach(options.warn ?? (message => process.emitWarning(message, 'McpMrtrWarning')));
    const debug = debugHooks();
    const seam = createSeam({
        principal: options.principal,
        serverName: options.serverName,
        commitStore: options.commitStore,
        acceptUnasked: options.acceptUnasked,
        onRound: both(debug.onRound, observer('onRound', options.onRound, warn)),
        onResume: both(debug.onResume, observer('onResume', options.onResume, warn)),
        onDiverge: both(debug.onDiverge, observer('onDiverge', options.onDiverge, warn)),
        onError: both(debug.onError, observer('onError', options.onError, warn)),
        sealer,
        timing,
        parked,
        ephemeralKey: secrets === undefined,
        warn
    });
    const resumable = createResumable(ttlSeconds * 1000, runHandler);
    const parking = (request: SeamRequest): unknown =>
        seam({ ...request, proceed: resumable({ mode: 'park' }, ctx => request.proceed(ctx)) });
    const mrtr: Mrtr = {
        attach: (server, { mode } = {}) => {
            const attached = attachSeam(server, mrtr, mode === 'park' ? parking : seam);
            if (attached !== undefined) muteCompletionNotifier(attached, warn);
            return server;
        },
        resumable,
        requestState: verify => ({
            verify: (state, ctx) => (isSealedState(state) ? undefined : verify?.(state, ctx))
        }),
        close: () => parked.close(),
        [Symbol.asyncDispose]: () => parked.close()
    };
    return mrtr;
}

function positive(name: string, value: number): number {
    if (Number.isFinite(value) && value > 0) return value;
    throw new RangeError(`createMrtr: ${name} must be a positive number, got ${value}`);
}

/** Whoever only watches must not be able to change what happens. */
function observer<Event>(
    name: string,
    hook: ((event: Event) => void) | undefined,
    warn: (message: string) => void
): ((event: Event) => void) | undefined {
    if (hook === undefined) return undefined;
    return event => {
        try {
            hook(event);
        } catch (error) {
            warn(`createMrtr: ${name} threw ${String(error)}`);
        }
    };
}

export function onceEach(warn: (message: string) => void): (message: string) => void {
    const said = new Set<string>();
    return message => {
        if (said.has(message)) return;
        said.add(message);
        warn(message);
    };
}
