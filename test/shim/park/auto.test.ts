import { McpServer } from '@modelcontextprotocol/server';
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { createMrtr } from '../../../shim/index.js';
import type { MrtrOptions, ResumableOptions } from '../../../shim/index.js';
import { frameClient } from '../frames.js';
import type { Reply } from '../frames.js';
import { answers, ask, askedKeys, KEY, replyText } from '../scripted-server.js';

interface Instance {
    readonly call: (retried?: Reply, lines?: Record<string, string>) => Promise<Reply>;
    readonly runs: string[];
}

/** One instance of a server with one tool under mode `auto`. */
function instance(annotations: ToolAnnotations, options: ResumableOptions = {}, mrtr: MrtrOptions = {}): Instance {
    const runs: string[] = [];
    const { attach, resumable } = createMrtr({ key: KEY, ...mrtr });
    const send = frameClient(() => {
        const server = attach(new McpServer({ name: 'auto', version: '1.0.0' }));
        const handler = resumable({ mode: 'auto', ...options }, async ctx => {
            runs.push(`round ${ctx.round}`);
            const id = await ctx.once('id', () => runs.push('once'));
            const a = await ask(ctx, 'a');
            const b = await ask(ctx, 'b');
            return { content: [{ type: 'text' as const, text: `${id} ${a} ${b} after ${ctx.round}` }] };
        });
        server.registerTool('t', { annotations }, handler);
        return server;
    });
    return {
        runs,
        call: (retried, lines = {}) =>
            send({
                params: { name: 't', arguments: {} },
                ...(retried && { requestState: retried.result?.requestState, inputResponses: answers(lines) })
            })
    };
}

const SAFE: [ToolAnnotations, ResumableOptions][] = [
    [{ readOnlyHint: true }, {}],
    [{ idempotentHint: true }, {}],
    [{}, { replaySafe: true }]
];

const UNSAFE: [ToolAnnotations, ResumableOptions][] = [
    [{}, {}],
    [{ readOnlyHint: false, destructiveHint: true }, {}],
    [{ readOnlyHint: true }, { replaySafe: false }],
    [{ readOnlyHint: true }, { mode: 'park', replaySafe: true }]
];

describe.each(SAFE)('a handler that may run again (%j, %j)', (annotations, options) => {
    it('does not, as long as its frame is there', async () => {
        const one = instance(annotations, options);
        const last = await one.call(await one.call(await one.call(), { a: '1' }), { b: '2' });
        expect(replyText(last)).toBe('2 1 2 after 2');
        expect(one.runs).toEqual(['round 0', 'once']);
    });

    it('goes on in another instance, with its onces and answers, and is parked there', async () => {
        const [one, two] = [instance(annotations, options), instance(annotations, options)];
        const second = await one.call(await one.call(), { a: '1' });
        const third = await two.call(second, {});
        expect(askedKeys(third)).toEqual(['b']);
        expect(replyText(await two.call(third, { b: '2' }))).toBe('2 1 2 after 3');
        expect([one.runs, two.runs]).toEqual([['round 0', 'once'], ['round 2']]);
    });

    it('goes on after it had to make room', async () => {
        const one = instance(annotations, options, { maxParked: 1 });
        const first = await one.call();
        await one.call();
        expect(askedKeys(await one.call(first, { a: '1' }))).toEqual(['b']);
    });

    it('takes the place of an older frame of the same call, which ends', async () => {
        const [one, two] = [instance(annotations, options), instance(annotations, options)];
        const first = await one.call();
        const second = await two.call(first, { a: '1' });
        // Back where the first frame still waits, with what the second instance has recorded.
        expect(replyText(await one.call(second, { b: '2' }))).toBe('2 1 2 after 2');
        expect(one.runs).toEqual(['round 0', 'once', 'round 2']);
        expect(two.runs).toEqual(['round 1']);
        // The older frame is over: the state that names it is replayed, as any state of a lost frame.
        await one.call(first, { a: '3' });
        expect(one.runs.at(-1)).toBe('round 1');
    });

    it('is not told another answer after it has gone on', async () => {
        const one = instance(annotations, options);
        const first = await one.call();
        await one.call(first, { a: 'no' });
        expect((await one.call(first, { a: 'yes' })).error).toMatchObject({ data: { reason: 'already_used' } });
    });
});

describe.each(UNSAFE)('a handler of which that is not known (%j, %j)', (annotations, options) => {
    it('never starts again: the client is told to call again', async () => {
        const [one, two] = [instance(annotations, options), instance(annotations, options)];
        const first = await one.call();
        const lost = await two.call(first, { a: '1' });
        expect(lost.error).toMatchObject({ code: -32602, data: { reason: 'other_instance' } });
        expect(lost.error?.message).toMatch(/^Tool 't'.*Call again\.$/);
        expect(two.runs).toEqual([]);
    });

    it('carries no transcript in its state', async () => {
        const one = instance(annotations, options);
        const second = await one.call(await one.call(), { a: 'a long answer '.repeat(50) });
        expect(second.result?.requestState?.length).toBeLessThan(250);
    });
});
