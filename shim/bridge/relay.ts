import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import type { LoggingLevel, Result } from '@modelcontextprotocol/server';

import { questionText } from '../exchange/question.js';
import type { EmbeddedRequest } from '../exchange/question.js';
import { isSuspended } from '../exchange/unwinding.js';
import { createAsk, UNCHECKED } from '../handler/ask.js';
import type { AskMethod } from '../handler/ask.js';
import { missingCapability } from '../handler/capabilities.js';
import { shortDigest } from '../handler/digest.js';
import { envelopeCapabilities } from '../handler/era.js';
import type { AskingMethod } from '../handler/era.js';
import type { NeedContext } from '../handler/need.js';
import { onCancel } from '../park/detached-context.js';
import type { CancelWatcher } from '../park/frame.js';
import type { Call, Receiver } from './call.js';
import type { Lease } from './callers.js';
import { OldServerError } from './errors.js';
import { isRecord } from './json-rpc.js';
import type { Params } from './json-rpc.js';
import { locallyRefused } from './refusal-texts.js';
import { FactsOf } from './request-facts.js';
import { notSupported } from './server-asks.js';
import { asError } from './waiting.js';

/** Names a question that an unmodified server asks. `undefined`: the bridge finds a name. */
export type KeyFor = (request: EmbeddedRequest) => string | undefined;

/** How resources that are not there were reported before revision 2026-07-28. */
const RESOURCE_NOT_FOUND = -32002;

const REQUEST_TIMEOUT = -32001;

const KINDS: Readonly<Record<string, string>> = {
    'elicitation/create': 'elicit',
    'sampling/createMessage': 'sample',
    'roots/list': 'roots'
};

/** What a call needs beside its own content. */
export interface RelayOptions {
    readonly method: AskingMethod;
    readonly ctx: NeedContext;
    /** Taken for this call, and released when it is over. */
    readonly lease: Lease;
    readonly keyFor: KeyFor | undefined;
}

/**
 * Brings one call of a 2026-07-28 client to an old server, as the body of a resumable handler: what the server asks
 * becomes `ctx.need` (DESIGN rules 4, 13, 14, 17 and 18).
 *
 * @param result receives what the client is told.
 */
export function relay(params: Params, options: RelayOptions, result: ResultReceiver): void {
    const { ctx, lease } = options;
    const call = new RelayedCall(params['uri'], options, result);
    onCancel(ctx, call);
    lease.workers.call(call, { params, facts: new FactsOf(ctx) });
}

export interface ResultReceiver {
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
}

class RelayedCall implements Call, CancelWatcher {
    readonly method: AskingMethod;
    readonly #uri: unknown;
    readonly #ctx: NeedContext;
    readonly #lease: Lease;
    readonly #keyFor: KeyFor | undefined;
    readonly #result: ResultReceiver;
    #refusal: Error | undefined;
    #expired: OldServerError | undefined;
    #cancelled: Error | undefined;

    /** @param uri of the resource that is read. */
    constructor(uri: unknown, { method, ctx, lease, keyFor }: RelayOptions, result: ResultReceiver) {
        this.method = method;
        this.#uri = uri;
        this.#ctx = ctx;
        this.#lease = lease;
        this.#keyFor = keyFor;
        this.#result = result;
    }

    get cancelled(): Error | undefined {
        return this.#cancelled;
    }

    onCancelled(reason: unknown): void {
        this.#cancelled = asError(reason);
        this.#lease.workers.cancel(this, this.#cancelled);
    }

    resolve(result: Params): void {
        this.#release();
        const uncaught = result['isError'] === true ? this.#refusalIn(textOf(result)) : undefined;
        if (uncaught === undefined) this.#result.resolve(result);
        else uncaught.then(() => this.#result.resolve(result)).catch(this.#result.reject);
    }

    reject(error: Error): void {
        this.#release();
        if (!(error instanceof OldServerError)) {
            this.#result.reject(error);
            return;
        }
        const told = translated(error, this.method, this.#uri);
        const uncaught = this.#refusalIn(error.message);
        if (uncaught === undefined) this.#result.reject(told);
        else uncaught.then(() => this.#result.reject(told), this.#result.reject);
    }

    ask(request: EmbeddedRequest, answer: Receiver): void {
        // Nobody will answer any more, and a call that waited for it would keep its server for ever.
        if (this.#expired !== undefined) {
            answer.reject(this.#expired);
            return;
        }
        this.#ctx.need<Params>(this.#keyOf(request), askFor(request)).then(
            result => answer.resolve(result),
            (error: unknown) => this.#notAnswered(error, answer)
        );
    }

    progress({ progressToken: _, ...progress }: Params): void {
        const token = this.#ctx.mcpReq._meta?.progressToken;
        if (token === undefined) return;
        const params = { ...progress, progressToken: token } as { progressToken: typeof token; progress: number };
        quietly(this.#ctx.mcpReq.notify({ method: 'notifications/progress', params }));
    }

    log({ level, data, logger }: Params): void {
        const name = typeof logger === 'string' ? logger : undefined;
        quietly(this.#ctx.mcpReq.log(level as LoggingLevel, data, name));
    }

    #release(): void {
        this.#lease.workers.release(this);
        this.#lease.release();
    }

    /**
     * Whether the old server ended the call with the words in which an ask was refused: nobody has caught it. Then the
     * client is told which capability it lacks, and gets -32021 (DESIGN rule 17).
     *
     * @returns rejects with the refusal, if there is one that the client has to be told.
     */
    #refusalIn(text: string): Promise<unknown> | undefined {
        if (this.#refusal !== undefined && text.includes(notSupported().message)) return Promise.reject(this.#refusal);
        const request = locallyRefused(text);
        if (request === undefined) return undefined;
        if (missingCapability(request, envelopeCapabilities(this.#ctx)) === undefined) return undefined;
        return this.#ctx.need(this.#keyOf(request), askFor(request));
    }

    #keyOf(request: EmbeddedRequest): string {
        return (
            this.#keyFor?.(request) ??
            `${KINDS[request.method] ?? 'ask'}-${shortDigest(questionText(request)).slice(0, 8)}`
        );
    }

    #notAnswered(error: unknown, answer: Receiver): void {
        // The round is sent, and the retry starts from the top: this attempt of the old server is left where it is.
        if (isSuspended(error)) {
            this.#lease.workers.abandon(this);
            this.#lease.release();
        } else {
            answer.reject(this.#toldServer(error));
        }
    }

    /** What a 2025-era client would have answered. */
    #toldServer(error: unknown): Error {
        if (error instanceof SdkError && error.code === SdkErrorCode.CapabilityNotSupported) {
            this.#refusal ??= error;
            return notSupported();
        }
        if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
            return (this.#expired = new OldServerError({ code: REQUEST_TIMEOUT, message: error.message }));
        }
        return asError(error);
    }
}

/** The answer is for the old server to check, with its own validator and in its own words. */
function askFor({ method, params }: EmbeddedRequest) {
    return createAsk<Params>(method as AskMethod, params, UNCHECKED);
}

function translated({ code, message, data }: OldServerError, method: AskingMethod, uri: unknown): Error {
    const missing = method === 'resources/read' && (code === RESOURCE_NOT_FOUND || code === -32602);
    if (missing) {
        const place = isRecord(data) ? { uri, ...data } : { uri };
        return new ProtocolError(ProtocolErrorCode.InvalidParams, message, place);
    }
    return new ProtocolError(code === RESOURCE_NOT_FOUND ? ProtocolErrorCode.InvalidParams : code, message, data);
}

function textOf({ content }: Params): string {
    if (!Array.isArray(content)) return '';
    return content
        .flatMap((block: unknown) => (isRecord(block) && typeof block['text'] === 'string' ? block['text'] : []))
        .join('\n');
}

function quietly(sent: Promise<void>): void {
    sent.catch(() => undefined);
}
