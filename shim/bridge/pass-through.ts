import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

import { isRecord, isRpcRequest, isRpcResponse } from './json-rpc.js';
import type { MessageId, RpcMessage } from './json-rpc.js';
import type { Link } from './link/link.js';

/**
 * Joins a 2025-era client with an old server of its own: what each sends goes to the other as it is. Resolves when the
 * link is up; when one side ends, so does the other.
 *
 * @param wire has not been started.
 */
export async function passThrough(wire: Transport, link: Link, notice: (text: string) => void): Promise<void> {
    const open = new OpenStreams();
    await link.start({
        message: (message, origin) => {
            const related = open.streamOf(message, origin);
            wire.send(message as JSONRPCMessage, related === undefined ? {} : { relatedRequestId: related }).catch(
                (error: unknown) => notice(String(error))
            );
        },
        closed: () => void wire.close().catch(() => undefined),
        notice
    });
    wire.onmessage = (message, extra) => {
        open.note(message as RpcMessage);
        link.send(message as RpcMessage, { authInfo: extra?.authInfo, request: extra?.request });
    };
    wire.onclose = () => void link.close();
    await wire.start();
}

/** Requests of the client that are open: over HTTP each has a stream, and what belongs to it has to be sent there. */
class OpenStreams {
    /** With the progress token of each. */
    readonly #requests = new Map<MessageId, unknown>();

    note(message: RpcMessage): void {
        if (!isRpcRequest(message)) return;
        const meta = message.params?.['_meta'];
        this.#requests.set(message.id, isRecord(meta) ? meta['progressToken'] : undefined);
    }

    /** @param origin as the link has traced it. */
    streamOf(message: RpcMessage, origin: MessageId | undefined): MessageId | undefined {
        if (isRpcResponse(message)) {
            this.#requests.delete(message.id);
            return undefined;
        }
        if (origin !== undefined) return this.#requests.has(origin) ? origin : undefined;
        const token = message.method === 'notifications/progress' ? message.params?.['progressToken'] : undefined;
        const reported = [...this.#requests].find(([, own]) => own !== undefined && own === token);
        if (reported !== undefined) return reported[0];
        const [only, second] = this.#requests.keys();
        return second === undefined ? only : undefined;
    }
}
