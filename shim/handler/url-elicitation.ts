import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/server';

import type { Question } from '../exchange/question.js';
import { readAnswer } from './answers.js';
import { elicitUrl } from './builders.js';
import type { ElicitUrlParams } from './builders.js';
import type { AskingMethod } from './era.js';
import { questionOf } from './replay-need.js';

/**
 * The pages of a `UrlElicitationRequiredError`, by which a 2025-era handler told its client to send the user there and
 * to call again. Revision 2026-07-28 has no error -32042: it is a round of questions, and the retry starts the handler
 * again, as the new call did (DESIGN rule 18).
 *
 * Known by its code and data, for it may come from another copy of the SDK, or from SDK v1.
 */
export function pagesOf(error: unknown): readonly Question[] | undefined {
    if (typeof error !== 'object' || error === null || !('code' in error) || !('data' in error)) return undefined;
    if (error.code !== ProtocolErrorCode.UrlElicitationRequired) return undefined;
    const elicitations = (error.data as { elicitations?: unknown } | null | undefined)?.elicitations;
    // What cannot be asked stays the error that it is.
    if (!Array.isArray(elicitations) || elicitations.length === 0 || !elicitations.every(isPage)) return undefined;
    return elicitations.map(page => questionOf(elicitUrl(page)));
}

/**
 * Whether the user has refused to open one of the pages that these answers are for. A missing answer, or one of the
 * wrong shape, is no refusal: the handler runs, and throws again if it still has to.
 */
export function refusalOf(pages: readonly string[], answers: ReadonlyMap<string, unknown>): string | undefined {
    return pages
        .map(key => readAnswer({ method: 'elicitation/create' }, answers.get(key)) as ElicitResult | undefined)
        .find(answer => answer?.action === 'decline' || answer?.action === 'cancel')?.action;
}

/**
 * How a call ends then: the handler cannot have what it threw for, and is not run.
 *
 * @throws ProtocolError for prompts and resources, whose results cannot say that they failed.
 */
export function refusedResult(method: AskingMethod, action: string): CallToolResult {
    const message = `URL elicitation required, but the user chose to ${action} it`;
    if (method === 'tools/call') return { content: [{ type: 'text', text: message }], isError: true };
    throw new ProtocolError(ProtocolErrorCode.InternalError, message, { reason: 'url_elicitation_refused', action });
}

function isPage(value: unknown): value is ElicitUrlParams {
    if (typeof value !== 'object' || value === null || !('url' in value) || !('message' in value)) return false;
    return typeof value.url === 'string' && typeof value.message === 'string';
}
