import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

import type { RpcMessage } from './json-rpc.js';
import type { Link, RequestFacts } from './link/link.js';

/**
 * Joins a 2025-era client with an old server of its own: what each sends goes to the other as it is. Resolves when the
 * link is up; when one side ends, so does the other.
 *
 * @param wire has not been started.
 */
export async function passThrough(wire: Transport, link: Link, notice: (text: string) => void): Promise<void> {
    const closeWire = (): void => void wire.close().catch(() => undefined);
    await link.start({
        message: (message, origin) => {
            const beside = origin === undefined || !('method' in message) ? {} : { relatedRequestId: origin };
            // Both know the messages of JSON-RPC, each by types of its own.
            wire.send(message as JSONRPCMessage, beside).catch((error: unknown) => notice(String(error)));
        },
        closed: closeWire,
        notice
    });
    wire.onmessage = (message, extra) => {
        const facts: RequestFacts = { authInfo: extra?.authInfo, request: extra?.request };
        link.send(message as RpcMessage, facts);
    };
    wire.onclose = () => void link.close();
    await wire.start();
}
