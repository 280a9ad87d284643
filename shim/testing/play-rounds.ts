import { Client, StreamableHTTPClientTransport, withInputRequired } from '@modelcontextprotocol/client';
import { createMcpHandler, isInputRequiredResult, McpServer, specTypeSchemas } from '@modelcontextprotocol/server';
import type { InputRequiredResult } from '@modelcontextprotocol/server';

import type { EmbeddedRequest } from '../exchange/question.js';
import { createMrtr } from '../handler/create-mrtr.js';
import type { NeedContext } from '../handler/need.js';
import type { ResumableOptions } from '../handler/resumable-types.js';
import { TestClient } from './test-client.js';
import type { TestAnswer, TestClientOptions, TestQuestion } from './test-client.js';

export interface PlayOptions extends TestClientOptions, ResumableOptions {
    /** After how many rounds the test fails instead of asking for ever. @default 20 */
    readonly maxRounds?: number;
}

export interface Played<T> {
    /** What the function gave in the end. */
    readonly result: T;
    /** The questions of each round: those of one round went out together. */
    readonly rounds: readonly (readonly TestQuestion[])[];
}

/**
 * Plays a call as revision 2026-07-28 does: a real server abandons the function at its asks and runs it again from the top
 * with the answers, so that whatever is not in `once` happens as often as it would in production.
 *
 * ```ts
 * const { result, rounds } = await playRounds(ctx => removeProject(ctx, 'a'), {
 *     answers: { confirm: { action: 'accept', content: { sure: true } } }
 * });
 * expect(removals).toEqual(['a']); // once, although the function ran twice
 * ```
 *
 * @throws what the function throws in the end, or the error of the call if the engine refuses it.
 */
export async function playRounds<T>(
    run: (ctx: NeedContext) => T | PromiseLike<T>,
    options: PlayOptions = {}
): Promise<Played<T>> {
    const { answers, clientCapabilities, maxRounds = 20, ...resumableOptions } = options;
    const person = new TestClient({ ...(answers && { answers }), ...(clientCapabilities && { clientCapabilities }) });
    const mrtr = createMrtr({ warn: () => undefined });
    let outcome: (() => T) | undefined;
    const handler = createMcpHandler(() => {
        const server = mrtr.attach(new McpServer({ name: 'mcp-mrtr-testing', version: '1' }));
        server.registerTool(
            'call',
            {},
            mrtr.resumable(resumableOptions, async (ctx: NeedContext) => {
                outcome = await settled(() => run(ctx));
                return { content: [] };
            })
        );
        return server;
    });
    const client = await connect(person, (url, init) => handler.fetch(new Request(url, init)));
    try {
        const rounds = await play(client, person, maxRounds);
        if (outcome === undefined) throw new Error('The call ended, and the function did not');
        return { result: outcome(), rounds };
    } finally {
        await client.close();
        await handler.close();
        await mrtr.close();
    }
}

/** How the function ended, to be had again. */
async function settled<T>(run: () => T | PromiseLike<T>): Promise<() => T> {
    try {
        const value = await run();
        return () => value;
    } catch (error) {
        return () => {
            throw error;
        };
    }
}

async function connect(
    person: TestClient,
    fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
): Promise<Client> {
    const client = new Client(
        { name: 'mcp-mrtr-testing', version: '1' },
        { capabilities: person.capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } }
    );
    await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }));
    return client;
}

async function play(client: Client, person: TestClient, maxRounds: number): Promise<TestQuestion[][]> {
    const rounds: TestQuestion[][] = [];
    for (let retry = {}; ;) {
        const result = await client.request(
            { method: 'tools/call', params: { name: 'call', arguments: {}, ...retry } },
            withInputRequired(specTypeSchemas.CallToolResult),
            { allowInputRequired: true }
        );
        if (!isInputRequiredResult(result)) return rounds;
        if (rounds.length === maxRounds) throw new Error(`The function still asks after ${maxRounds} rounds`);
        const before = person.asked.length;
        retry = answersTo(result, person);
        rounds.push(person.asked.slice(before));
    }
}

function answersTo({ inputRequests = {}, requestState }: InputRequiredResult, person: TestClient): object {
    const answers = Object.entries(inputRequests).map(([key, request]): [string, TestAnswer] => [
        key,
        person.answer(key, request as EmbeddedRequest)
    ]);
    return { inputResponses: Object.fromEntries(answers), requestState };
}
