import type { AuthInfo } from '@modelcontextprotocol/server';

import type { MessageId, RpcMessage } from '../json-rpc.js';

/** What of the client's own request an old server may look at beside the message. */
export interface RequestFacts {
    readonly authInfo?: AuthInfo | undefined;
    /** The HTTP request of the present round. */
    readonly request?: globalThis.Request | undefined;
}

export interface LinkEvents {
    /**
     * A message of the old server.
     *
     * @param origin id of the request that it was sent while serving, if the link can tell.
     */
    message(message: RpcMessage, origin?: MessageId): void;
    /** The old server is gone, and how: `exited with code 1`. Called once, also after {@link Link.close}. */
    closed(how: string): void;
    /** Something that a person should read, as a line on stdout that is no message. */
    notice(text: string): void;
}

/** How messages go to one old server and come back: in memory, over the pipes of a process, or over HTTP. */
export interface Link {
    /** Whether messages come with their origin. Known from the answer to the first request on. */
    readonly traced: boolean;
    /** @throws Error if the old server cannot be started or reached. */
    start(events: LinkEvents): Promise<void>;
    send(message: RpcMessage, facts?: RequestFacts): void;
    /**
     * Lets go of a request of ours whose handler waits for answers that never come.
     *
     * @param asks ids of the requests that will not be answered.
     * @returns whether the old server is as if the request had never been; if not, it should not be used any more.
     */
    abandon(request: MessageId, asks: readonly MessageId[]): boolean;
    close(): Promise<void>;
}

/**
 * Makes the link to a new old server, or to a new session of one.
 *
 * @param firstId id of the first request that will be sent over it.
 */
export type OpenLink = (facts: RequestFacts, firstId: number) => Link;
