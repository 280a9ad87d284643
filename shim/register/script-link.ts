import { AsyncLocalStorage } from 'node:async_hooks';

import { isRpcRequest } from '../bridge/json-rpc.js';
import type { MessageId, RpcMessage } from '../bridge/json-rpc.js';
import { JsonLines } from '../bridge/link/json-lines.js';
import type { Link, LinkEvents } from '../bridge/link/link.js';

/**
 * The script of this process as an old server. It has one connection, so one client with one set of capabilities can be
 * served; each of its requests is known by the async context in which its message was given to the script.
 */
export class ScriptLink {
    readonly #give: (text: string) => void;
    readonly #serving = new AsyncLocalStorage<MessageId | undefined>();
    #events: LinkEvents | undefined;
    readonly #lines = new JsonLines({
        message: message => this.#events?.message(message, this.#serving.getStore()),
        noise: line => this.#events?.notice(`The server wrote a line to stdout that is no message: ${line}`)
    });

    /** @param give lets the script read a line of text from its stdin. */
    constructor(give: (text: string) => void) {
        this.#give = give;
    }

    /** The script has written to its stdout. */
    wrote(chunk: string | Uint8Array): void {
        this.#lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk));
    }

    /** A link to the script, for a client that shakes hands with it. */
    open(): Link {
        return {
            traced: true,
            start: events => this.#start(events),
            send: message => this.#send(message),
            // What is never answered is never asked again, and the script has forgotten it but for its own records.
            abandon: () => true,
            close: () => {
                this.#end();
                return Promise.resolve();
            }
        };
    }

    #start(events: LinkEvents): Promise<void> {
        if (this.#events !== undefined) {
            return Promise.reject(
                new Error(
                    'this client has declared other capabilities before, and mcp-mrtr/register has one server for it. ' +
                        'Run the script under `mcp-mrtr serve`, which starts one for each set of capabilities.'
                )
            );
        }
        this.#events = events;
        return Promise.resolve();
    }

    #send(message: RpcMessage): void {
        const id = isRpcRequest(message) ? message.id : undefined;
        this.#serving.run(id, () => this.#give(`${JSON.stringify(message)}\n`));
    }

    #end(): void {
        const events = this.#events;
        this.#events = undefined;
        events?.closed('was closed');
    }
}
