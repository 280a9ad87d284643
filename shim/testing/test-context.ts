import { CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { ElicitResult, Notification, ServerContext } from '@modelcontextprotocol/server';

import { KeyAllocator } from '../exchange/keys.js';
import type { Ask } from '../handler/ask.js';
import { createDirectNeed } from '../handler/direct-need.js';
import { embedded, readElicited } from '../handler/replay-need.js';
import type { Need, NeedContext } from '../handler/need.js';
import { runWithNeed } from '../handler/running.js';
import { TestClient } from './test-client.js';
import type { TestClientOptions, TestQuestion } from './test-client.js';

export interface TestContextOptions extends TestClientOptions {
    /** Cancels the request, as a client does. */
    readonly signal?: AbortSignal;
    readonly authInfo?: NonNullable<ServerContext['http']>['authInfo'];
}

/** A context of a resumable handler, for a test, with what it was used for. */
export interface TestContext extends NeedContext {
    /** The questions so far, in the order in which they were asked. */
    readonly asked: readonly TestQuestion[];
    /** What `ctx.mcpReq.notify` and `ctx.mcpReq.log` sent, in order. */
    readonly notifications: readonly Notification[];
    /** Runs code that takes no context, but asks with the function `need`, as if it ran in a handler with this one. */
    readonly run: <T>(code: () => T) => T;
}

/**
 * A context for tests of functions that take one. Each ask is answered at once, so the function runs one time from top to
 * end, as it does on a 2025-era connection; {@link playRounds} plays it as 2026-07-28 does. Capabilities, schemas of forms
 * and keys are checked as in a request: an ask that the client did not declare rejects as there.
 *
 * ```ts
 * const ctx = createTestContext({ answers: { confirm: { action: 'decline' } } });
 * await expect(removeProject(ctx, 'a')).resolves.toBe('kept');
 * expect(ctx.asked.map(({ key }) => key)).toEqual(['confirm']);
 * ```
 */
export function createTestContext(options: TestContextOptions = {}): TestContext {
    const client = new TestClient(options);
    const need = needOf(client);
    const notifications: Notification[] = [];
    const notify = (notification: Notification): Promise<void> => {
        notifications.push(notification);
        return Promise.resolve();
    };
    const request: ServerContext['mcpReq'] = {
        id: 1,
        method: 'tools/call',
        envelope: {
            [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
            [CLIENT_CAPABILITIES_META_KEY]: client.capabilities
        },
        signal: options.signal ?? new AbortController().signal,
        requestState: () => undefined,
        notify,
        log: (level, data, logger) => notify({ method: 'notifications/message', params: { level, data, logger } }),
        send: refusePush,
        elicitInput: refusePush,
        requestSampling: refusePush
    };
    return {
        mcpReq: request,
        ...(options.authInfo && { http: { authInfo: options.authInfo } }),
        ...need,
        asked: client.asked,
        notifications,
        run: code => runWithNeed(need, client.capabilities, code)
    };
}

function needOf(client: TestClient): Need {
    const keys = new KeyAllocator();
    return createDirectNeed((authorKey, ask: Ask<unknown>) => {
        const answer = client.answer(keys.allocate(authorKey), embedded(ask));
        const isForm = ask.method === 'elicitation/create';
        return Promise.resolve(isForm ? readElicited(answer as ElicitResult, ask, undefined) : answer);
    });
}

/** What the SDK does on a request of 2026-07-28, where nobody can be asked in the middle of a call. */
function refusePush(): Promise<never> {
    return Promise.reject(new Error('A request of 2026-07-28 has no push calls: ask with ctx.need(key, elicit(…))'));
}
