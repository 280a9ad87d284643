import type { jsonSchemaValidator } from '@modelcontextprotocol/server';

import { Attempt } from '../exchange/attempt.js';
import type { Outcome } from '../exchange/attempt.js';
import { newJournal, packJournal, unpackJournal } from '../exchange/journal.js';
import type { Journal, PackedJournal } from '../exchange/journal.js';
import type { OpenAsk } from '../exchange/open-asks.js';
import { QuestionMemory } from '../exchange/question-memory.js';
import type { Timing } from '../exchange/timing.js';
import { readToken } from '../park/frame-token.js';
import type { FrameToken } from '../park/frame-token.js';
import { Frame } from '../park/frame.js';
import type { Round } from '../park/frame.js';
import type { ParkTable } from '../park/park-table.js';
import { encodeBase64Url } from '../state/base64url.js';
import { InvalidStateError } from '../state/errors.js';
import type { StateEntrySize } from '../state/errors.js';
import { isSealedState } from '../state/sealer.js';
import type { Binding, Sealer } from '../state/sealer.js';
import type { SeamRequest } from './attach.js';
import { bindingOf, handlerLabel, targetOf } from './binding.js';
import { unmetRequirement } from './capabilities.js';
import { announced } from './channels.js';
import { commit } from './commit.js';
import { commonValidator } from './content.js';
import { isMultiRoundTrip } from './era.js';
import type { MrtrOptions } from './options.js';
import { parkRound, retryParked } from './parking.js';
import { SeamHost } from './seam-host.js';
import { refusalOf, refusedResult } from './url-elicitation.js';
import { withVisit } from './visit.js';
import type { Visit } from './visit.js';

type SeamOptions = Pick<
    MrtrOptions,
    'principal' | 'serverName' | 'acceptUnasked' | 'commitStore' | 'onRound' | 'onResume' | 'onDiverge' | 'onError'
> & {
    readonly sealer: Sealer;
    readonly timing: Timing;
    readonly parked: ParkTable;
    /** The key is random and dies with this process. */
    readonly ephemeralKey: boolean;
    readonly warn: (message: string) => void;
};

/** From here on a state is worth a warning, in characters: it travels with every retry. */
const LARGE_STATE = 16 * 1024;

const NO_ANSWERS: ReadonlyMap<string, unknown> = new Map();

/** A flow that has come back with its state. */
interface Resumed {
    readonly journal: Journal;
    readonly startedAt: number;
    readonly expiresAt: number;
    /** The answers to what was asked; whatever else the client sends is ignored (DESIGN rule 6). */
    readonly answers: ReadonlyMap<string, unknown>;
    /** Names the frame that waits for this request, if one does. */
    readonly token: FrameToken | undefined;
}

/**
 * What happens to a 2026-07-28 request between the SDK and the handler: its state is opened, the handler runs as an
 * attempt over it, and the attempt's outcome is answered (DESIGN rule 19: errors leave from here).
 */
export function createSeam(options: SeamOptions): (request: SeamRequest) => unknown {
    const memory = new QuestionMemory();
    const answer = (request: SeamRequest): unknown => visit(request, options, memory);
    return request => (isMultiRoundTrip(request.ctx) ? announced(request, answer) : request.proceed(request.ctx));
}

function visit(request: SeamRequest, options: SeamOptions, memory: QuestionMemory): unknown {
    const state: unknown = request.ctx.mcpReq.requestState();
    if (typeof state === 'string' && isSealedState(state)) return retry(request, state, options, memory);
    const unasked = state === undefined && options.acceptUnasked ? request.ctx.mcpReq.inputResponses : undefined;
    const answers = unasked === undefined ? NO_ANSWERS : new Map(Object.entries(unasked));
    const frame = new Frame(
        made => new Attempt(newJournal(flowId), answers, new SeamHost(request, made, options, memory))
    );
    const call = { binding: onDemand(() => bindingOf(request, options, options.warn)), startedAt: undefined };
    return runRound(
        request,
        { frame, round: roundOf(request, answers), foreignState: state !== undefined },
        options,
        call
    );
}

/** A call that comes back with its state. */
async function retry(
    request: SeamRequest,
    state: string,
    options: SeamOptions,
    memory: QuestionMemory
): Promise<unknown> {
    const binding = onDemand(() => bindingOf(request, options, options.warn));
    const { journal, answers, startedAt, expiresAt, token } = await resume(request, state, binding, options);
    const round = roundOf(request, answers);
    let frame: Frame | undefined;
    const runOn = (found: Frame): Promise<unknown> => {
        frame = found;
        return runRound(request, { frame, round, foreignState: false }, options, { binding, startedAt });
    };
    const refusal = refusalOf(journal.pages, answers);
    const run = async (): Promise<unknown> => {
        if (refusal !== undefined) return refusedResult(request.method, refusal);
        const parked = token && retryParked(request, token, answers, options, runOn);
        if (parked !== undefined) return parked;
        return runOn(new Frame(made => new Attempt(journal, answers, new SeamHost(request, made, options, memory))));
    };
    const began = (): boolean => refusal !== undefined || frame?.reached === true;
    return commit(request, { state, answers, expiresAt, run, began }, options);
}

function roundOf(request: SeamRequest, answers: ReadonlyMap<string, unknown>): Round {
    return { ctx: request.ctx, validator: validatorOf(request), answers };
}

/** What a call is sealed with. */
interface Call {
    readonly binding: () => Promise<Binding>;
    /** When it sent its first round; `undefined` if it has sent none. */
    readonly startedAt: number | undefined;
}

/** Runs a call from this request to its result, or to its next round. */
async function runRound(request: SeamRequest, visit: Visit, options: SeamOptions, call: Call): Promise<unknown> {
    const { frame, round } = visit;
    frame.enter(round);
    try {
        const outcome = await frame.attempt.run(() => request.proceed(withVisit(round.ctx, visit)));
        if (outcome.kind === 'suspended') return await sendRound(request, frame, outcome, options, call);
        // Branches that still ask are answered by nobody, and may hold something.
        if (frame.parks && frame.attempt.ended) options.parked.refuse(frame);
        return resultOf(request, outcome, options);
    } finally {
        frame.leave();
    }
}

async function resume(
    request: SeamRequest,
    state: string,
    binding: () => Promise<Binding>,
    { sealer, onResume, onError }: SeamOptions
): Promise<Resumed> {
    const place = { method: request.method, target: targetOf(request) };
    try {
        const { payload, startedAt, expiresAt } = sealer.open(state, await binding());
        const journal = unpackJournal(payload as PackedJournal);
        const token = readToken(payload as PackedJournal);
        const answers = answersTo(journal, request.ctx.mcpReq.inputResponses);
        onResume?.({ ...place, round: journal.round, keys: [...answers.keys()], stateBytes: state.length });
        return { journal, startedAt, expiresAt, answers, token };
    } catch (error) {
        if (error instanceof InvalidStateError) onError?.({ ...place, fault: error.fault });
        throw error;
    }
}

type Suspended = Extract<Outcome<unknown>, { kind: 'suspended' }>;

function resultOf(
    request: SeamRequest,
    outcome: Exclude<Outcome<unknown>, Suspended>,
    { onError }: SeamOptions
): unknown {
    switch (outcome.kind) {
        case 'finished':
            return outcome.value;
        case 'threw':
            throw outcome.error;
        case 'failed':
            if (outcome.error instanceof InvalidStateError) {
                const { fault } = outcome.error;
                onError?.({ method: request.method, target: targetOf(request), fault });
            }
            throw outcome.error;
        case 'refused':
            throw unmetRequirement(outcome.ask.key, outcome.ask.question.request);
    }
}

async function sendRound(
    request: SeamRequest,
    frame: Frame,
    { asks, journal, rests }: Suspended,
    options: SeamOptions,
    { binding, startedAt }: Call
): Promise<unknown> {
    const bound = await binding().catch((error: unknown) => {
        if (rests) options.parked.refuse(frame);
        throw error;
    });
    const state = rests
        ? parkRound(request, frame, journal, options, bound, startedAt ?? options.timing.now())
        : options.sealer.seal(packJournal(journal), bound, startedAt);
    report(request, options, asks, journal, state.length);
    const inputRequests = Object.fromEntries(asks.map(({ key, question }) => [key, question.request]));
    return { resultType: 'input_required', inputRequests, requestState: state };
}

function report(
    request: SeamRequest,
    { ephemeralKey, warn, onRound }: SeamOptions,
    asks: readonly OpenAsk[],
    journal: Journal,
    stateBytes: number
): void {
    if (ephemeralKey) {
        warn(
            `createMrtr has no key, so states are sealed with a random one: calls that wait for their client are lost ` +
                `with this process, and no other instance can finish them.`
        );
    }
    if (stateBytes > LARGE_STATE) {
        warn(`${handlerLabel(request)} has a state of more than ${LARGE_STATE} bytes, which travels with every retry.`);
    }
    const keys = asks.map(({ key }) => key);
    onRound?.({ method: request.method, target: targetOf(request), round: journal.round, keys, stateBytes });
}

function answersTo(journal: Journal, responses: Record<string, unknown> | undefined): Map<string, unknown> {
    const answers = new Map<string, unknown>();
    for (const key of [...journal.asked.map(asked => asked.key), ...journal.pages]) {
        if (responses !== undefined && Object.hasOwn(responses, key)) answers.set(key, responses[key]);
    }
    return answers;
}

/** The validator that the server checks forms with, where the SDK keeps it; its operator may have configured one. */
function validatorOf({ server }: SeamRequest): jsonSchemaValidator | undefined {
    const { _jsonSchemaValidator: validator, _options: options } = server as {
        _jsonSchemaValidator?: jsonSchemaValidator;
        _options?: { jsonSchemaValidator?: jsonSchemaValidator };
    };
    if (typeof validator?.getValidator !== 'function') return undefined;
    return options?.jsonSchemaValidator === undefined ? commonValidator(validator) : validator;
}

/** `make`, called when first needed. */
function onDemand<T>(make: () => T): () => T {
    let made: { readonly value: T } | undefined;
    return () => (made ??= { value: make() }).value;
}

function flowId(): string {
    return encodeBase64Url(crypto.getRandomValues(new Uint8Array(9)));
}

/** Sizes of what a journal carries, for the error that says why a state is too large. */
export function measureJournal(payload: unknown): StateEntrySize[] {
    const { entries, held, syncs } = unpackJournal(payload as PackedJournal);
    return [...entries, ...held, ...syncs].map(entry => ({ key: entry.key, bytes: JSON.stringify(entry).length }));
}
