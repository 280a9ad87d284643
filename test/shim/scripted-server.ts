import { McpServer } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';

import { systemTiming } from '../../shim/exchange/timing.js';
import type { Timing } from '../../shim/exchange/timing.js';
import { createMrtrIn } from '../../shim/handler/create-mrtr.js';
import { elicit } from '../../shim/index.js';
import type { DivergeEvent, Mrtr, MrtrOptions, NeedContext, ResumableOptions } from '../../shim/index.js';
import { frameClient } from './frames.js';
import type { Frame, Reply } from './frames.js';

export const KEY = 'a key for tests, long enough for AES';

export const FORM = { type: 'object' as const, properties: { answer: { type: 'string' as const } } };

/** Asks for one line of text. */
export async function ask(ctx: NeedContext, key: string, message = `${key}?`): Promise<string> {
    const { action, content } = await ctx.need(key, elicit({ message, requestedSchema: FORM }));
    return action === 'accept' ? String(content?.['answer']) : action;
}

/** `inputResponses` that accept, with one line of text each. */
export function answers(lines: Record<string, string>): Record<string, unknown> {
    return Object.fromEntries(
        Object.entries(lines).map(([key, answer]) => [key, { action: 'accept', content: { answer } }])
    );
}

type Script = (ctx: NeedContext, attempt: number) => Promise<CallToolResult | string>;

export interface ScriptedServer {
    readonly mrtr: Mrtr;
    /** Sends the call, as its first request or as a retry. */
    readonly call: (retry?: Omit<Frame, 'params'> & { readonly arguments?: object }) => Promise<Reply>;
    /** Sends the call and its retries until it is done; each round takes the next of `rounds`. */
    readonly play: (...rounds: Record<string, string>[]) => Promise<Reply>;
    readonly events: DivergeEvent[];
    /** How many attempts have begun. */
    readonly attempts: () => number;
}

/** A server with one tool, whose handler is the script: it learns which attempt it is, to be able to diverge. */
export function scripted(
    script: Script,
    options: ResumableOptions = {},
    mrtrOptions: MrtrOptions = {},
    timing: Timing = systemTiming
): ScriptedServer {
    let attempt = 0;
    const events: DivergeEvent[] = [];
    const mrtr = createMrtrIn(timing, { key: KEY, onDiverge: event => events.push(event), ...mrtrOptions });
    const { attach, resumable } = mrtr;
    const send = frameClient(() => {
        const server = attach(new McpServer({ name: 'scripted', version: '1.0.0' }));
        server.registerTool(
            'script',
            { inputSchema: z.object({}) },
            resumable(options, async (_args, ctx) => {
                const result = await script(ctx, ++attempt);
                return typeof result === 'string' ? { content: [{ type: 'text', text: result }] } : result;
            })
        );
        return server;
    });
    const call: ScriptedServer['call'] = ({ arguments: args = {}, ...retry } = {}) =>
        send({ params: { name: 'script', arguments: args }, ...retry });
    return {
        mrtr,
        call,
        events,
        attempts: () => attempt,
        async play(...rounds) {
            let reply = await call();
            for (const lines of rounds) {
                reply = await call({ requestState: reply.result?.requestState, inputResponses: answers(lines) });
            }
            return reply;
        }
    };
}

/** Keys of the questions in a reply. */
export function askedKeys(reply: Reply): string[] {
    return Object.keys(reply.result?.inputRequests ?? {});
}

/** The text of a final result. */
export function replyText(reply: Reply): string | undefined {
    const content = reply.result?.['content'] as { text?: string }[] | undefined;
    return content?.[0]?.text;
}
