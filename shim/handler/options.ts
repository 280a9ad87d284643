import type { ServerContext } from '@modelcontextprotocol/server';

import type { CommitStore } from '../commit/commit-store.js';
import type { CommitFault } from '../commit/errors.js';
import type { DivergeEvent } from '../exchange/attempt-host.js';
import type { LostFrame } from '../park/errors.js';
import type { StateFault } from '../state/errors.js';
import type { Secret } from '../state/key-ring.js';

/** A call that was answered with questions, or came back with answers. Names the questions, never the answers. */
export interface RoundEvent {
    readonly method: string;
    readonly target: string;
    /** 1 for the first round of the call. */
    readonly round: number;
    readonly keys: readonly string[];
    /** Length of the sealed state, in characters. */
    readonly stateBytes: number;
}

/** A retry that was refused, with the reason: that a state did not open is all that the client is told of its faults. */
export interface StateErrorEvent {
    readonly method: string;
    readonly target: string;
    readonly fault: StateFault | CommitFault | LostFrame;
}

export interface MrtrOptions {
    /**
     * Seals the state of calls that wait for their client. At least 32 bytes, the same in all instances of a server.
     * Left out (also as an environment variable that is not set): a random one, with a warning, and calls can only be
     * finished by the process that began them.
     */
    readonly key?: Secret | undefined;
    /** A ring of keys instead of one: the first seals, all of them open. */
    readonly keys?: readonly Secret[] | undefined;
    /** How long the client may take to answer one round, in seconds. @default 600 */
    readonly ttlSeconds?: number | undefined;
    /** How long a call may take from its first round to its last, in seconds. @default 3600 */
    readonly flowTtlSeconds?: number | undefined;
    /**
     * Who sends this request, as a stable name of the person: the state of one principal is worth nothing to another.
     * Needed where requests carry `authInfo`, for a `clientId` names an application.
     */
    readonly principal?: ((ctx: ServerContext) => string | undefined | Promise<string | undefined>) | undefined;
    /** Name of the server in the binding of states. @default the name in its `serverInfo` */
    readonly serverName?: string | undefined;
    /** Longest sealed state, in characters; a longer one is an error. @default 65536 */
    readonly maxStateBytes?: number | undefined;
    /**
     * Takes answers that come with the first request of a call, before anything has been asked: to whatever is asked
     * under their keys, without the person having seen the question. For stateless clients that know what they will be
     * asked.
     *
     * @default false
     */
    readonly acceptUnasked?: boolean | undefined;
    /**
     * Lets each round be answered once: sent again it gets the same result, and with other answers it is refused. All
     * instances of a server need the same one. Without it a state can be answered again, differently, until it expires.
     */
    readonly commitStore?: CommitStore | undefined;
    /**
     * How many calls under mode `park` or `auto` may wait in memory; the one that has waited longest makes room.
     *
     * @default 10000
     */
    readonly maxParked?: number | undefined;
    /**
     * How many of them may belong to one principal, so that one cannot push out the others. Callers without a principal
     * share `maxParked`.
     *
     * @default 1000
     */
    readonly maxParkedPerPrincipal?: number | undefined;
    /** Called when a call has been answered with questions. */
    readonly onRound?: ((event: RoundEvent) => void) | undefined;
    /** Called when a call has come back, before its handler runs. */
    readonly onResume?: ((event: RoundEvent) => void) | undefined;
    /** Called when an answer was not given where it was expected. */
    readonly onDiverge?: ((event: DivergeEvent) => void) | undefined;
    /**
     * Called when a retry was refused: its state did not open, its call is not in memory any more, or the commit store
     * does not let it through.
     */
    readonly onError?: ((event: StateErrorEvent) => void) | undefined;
    /** Receives warnings, each once. @default process.emitWarning, with the type `McpMrtrWarning` */
    readonly warn?: ((message: string) => void) | undefined;
}
