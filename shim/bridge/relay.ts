import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import type { LoggingLevel, Result } from '@modelcontextprotocol/server';

import { questionText } from '../exchange/question.js';
import type { EmbeddedRequest } from '../exchange/question.js';
import { isSuspended } from '../exchange/unwinding.js';
import { createAsk } from '../handler/ask.js';
import type { AskMethod } from '../handler/ask.js';
import { missingCapability } from '../handler/capabilities.js';
import { shortDigest } from '../handler/digest.js';
import { envelopeCapabilities } from '../handler/era.js';
import type { AskingMethod } from '../handler/era.js';
import type { NeedContext } from '../handler/need.js';
import { OldServerError } from './errors.js';
import { isRecord } from './json-rpc.js';
import type { Params } from './json-rpc.js';
import type { RequestFacts } from './link/link.js';
import { factsOf } from './request-facts.js';
import { notSupported } from './old-server.js';
import type { CallHost } from './old-server.js';
import { locallyRefused } from './refusal-texts.js';

/** Names a question that an unmodified server asks. `undefined`: the bridge finds a name. */
export type KeyFor = (request: EmbeddedRequest) => string | undefined;

/** A call on its way: {@link Workers} finds an old server for it. */
export interface Calling {
    call(method: string, params: Params, host: CallHost, signal: AbortSignal, facts: RequestFacts): Promise<Params>;
    /** The call is given up, and its asks will not be answered. */
    abandon(host: CallHost): void;
}

/** How resources that are not there were reported before revision 2026-07-28. */
const RESOURCE_NOT_FOUND = -32002;

const REQUEST_TIMEOUT = -32001;

const KINDS: Readonly<Record<string, string>> = {
    'elicitation/create': 'elicit',
    'sampling/createMessage': 'sample',
    'roots/list': 'roots'
};

/**
 * Brings one call of a 2026-07-28 client to an old server: a resumable handler, in which what the server asks becomes
 * `ctx.need` (DESIGN rules 4, 13, 14, 17 and 18).
 */
export async function relay(
    method: AskingMethod,
    params: Params,
    ctx: NeedContext,
    server: Calling,
    keyFor: KeyFor | undefined
): Promise<Result> {
    const host = new RelayHost(ctx, keyFor, () => server.abandon(host));
    try {
        const result = await server.call(method, params, host, ctx.mcpReq.signal, factsOf(ctx));
        if (result['isError'] === true) await host.refuseIfUncaught(textOf(result));
        return result;
    } catch (error) {
        if (!(error instanceof OldServerError)) throw error;
        await host.refuseIfUncaught(error.message);
        throw translated(error, method, params);
    }
}

class RelayHost implements CallHost {
    readonly #ctx: NeedContext;
    readonly #keyFor: KeyFor | undefined;
    readonly #abandon: () => void;
    readonly #refusals: Error[] = [];
    #expired: OldServerError | undefined;

    constructor(ctx: NeedContext, keyFor: KeyFor | undefined, abandon: () => void) {
        this.#ctx = ctx;
        this.#keyFor = keyFor;
        this.#abandon = abandon;
    }

    async ask(request: EmbeddedRequest): Promise<Params> {
        // Nobody will answer any more, and a call that waited for it would keep its server for ever.
        if (this.#expired !== undefined) throw this.#expired;
        try {
            return await this.#ctx.need<Params>(this.#keyOf(request), askFor(request));
        } catch (error) {
            // The round is sent, and the retry starts from the top: this attempt of the old server is left where it is.
            if (isSuspended(error)) {
                this.#abandon();
                return await new Promise<never>(() => undefined);
            }
            throw this.#toldServer(error);
        }
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

    /**
     * The old server ended the call with the words in which an ask was refused: nobody has caught it. The client is told
     * which capability it lacks, and gets -32021 (DESIGN rule 17).
     *
     * @throws the refusal
     */
    async refuseIfUncaught(text: string): Promise<void> {
        const sent = this.#refusals[0];
        if (sent !== undefined && text.includes(notSupported().message)) throw sent;
        const request = locallyRefused(text);
        if (request === undefined) return;
        if (missingCapability(request, envelopeCapabilities(this.#ctx)) === undefined) return;
        await this.#ctx.need(this.#keyOf(request), askFor(request));
    }

    #keyOf(request: EmbeddedRequest): string {
        return (
            this.#keyFor?.(request) ??
            `${KINDS[request.method] ?? 'ask'}-${shortDigest(questionText(request)).slice(0, 8)}`
        );
    }

    /** What a 2025-era client would have answered. */
    #toldServer(error: unknown): Error {
        if (error instanceof SdkError && error.code === SdkErrorCode.CapabilityNotSupported) {
            this.#refusals.push(error);
            return notSupported();
        }
        if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
            return (this.#expired = new OldServerError({ code: REQUEST_TIMEOUT, message: error.message }));
        }
        return error instanceof Error ? error : new Error(String(error));
    }
}

/** The answer is for the old server to check, with its own validator and in its own words. */
function askFor({ method, params }: EmbeddedRequest) {
    return createAsk<Params>(method as AskMethod, params);
}

function translated({ code, message, data }: OldServerError, method: AskingMethod, params: Params): Error {
    const missing = method === 'resources/read' && (code === RESOURCE_NOT_FOUND || code === -32602);
    if (missing) {
        const place = isRecord(data) ? { uri: params['uri'], ...data } : { uri: params['uri'] };
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
