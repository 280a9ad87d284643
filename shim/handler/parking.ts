import { canonicalJson } from '../exchange/canonical.js';
import type { Journal } from '../exchange/journal.js';
import { FrameLostError } from '../park/errors.js';
import { packToken } from '../park/frame-token.js';
import type { FrameToken } from '../park/frame-token.js';
import type { Frame } from '../park/frame.js';
import type { ParkTable } from '../park/park-table.js';
import { isAnnotatedSafe } from '../park/replay-safety.js';
import type { Binding, Sealer } from '../state/sealer.js';
import type { SeamRequest } from './attach.js';
import { handlerLabel, targetOf } from './binding.js';
import { shortDigest } from './digest.js';
import type { MrtrOptions } from './options.js';

/**
 * Brings a retry to the frame that its state names.
 *
 * @param run runs the frame on, and answers the request.
 * @returns the answer, or `undefined` if the frame is lost and the call may run again from what its state has recorded.
 * @throws FrameLostError if it is lost and must not.
 */
export function retryParked(
    request: SeamRequest,
    token: FrameToken,
    answers: ReadonlyMap<string, unknown>,
    { parked, onError }: { readonly parked: ParkTable } & Pick<MrtrOptions, 'onError'>,
    run: (frame: Frame) => Promise<unknown>
): Promise<unknown> | undefined {
    const answersDigest = shortDigest(canonicalJson(Object.fromEntries(answers)));
    const retry = parked.retry({ token, answersDigest, signal: request.ctx.mcpReq.signal, run });
    if (retry.kind === 'answer') return retry.answer;
    // What has gone on in this process must not be told a second answer, however safe the handler is.
    if (token.replayable && retry.reason !== 'already_used') return undefined;
    onError?.({ method: request.method, target: targetOf(request), fault: retry.reason });
    throw new FrameLostError(handlerLabel(request), retry.reason);
}

/**
 * Leaves a frame that has sent its round in memory.
 *
 * @param startedAt when the flow sent its first round, in milliseconds.
 * @returns the state that names it.
 * @throws StateTooLargeError
 * @throws FrameLostError if the process is about to stop.
 */
export function parkRound(
    request: SeamRequest,
    frame: Frame,
    journal: Journal,
    { parked, sealer }: { readonly parked: ParkTable; readonly sealer: Sealer },
    binding: Binding,
    startedAt: number
): string {
    const token = packToken(parked.instance, journal, mayReplay(request, frame));
    let state: string;
    try {
        state = sealer.seal(token, binding, startedAt);
    } catch (error) {
        parked.refuse(frame);
        throw error;
    }
    frame.leave();
    const place = { flow: journal.id, round: journal.round };
    if (parked.rest(frame, place, binding.principal, startedAt)) return state;
    throw new FrameLostError(handlerLabel(request), 'frame_gone');
}

function mayReplay(request: SeamRequest, { fallback }: Frame): boolean {
    if (fallback === 'always') return true;
    if (fallback !== 'if-hinted' || request.method !== 'tools/call') return false;
    return isAnnotatedSafe(request.attached, targetOf(request));
}
