import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientCapabilities } from '@modelcontextprotocol/server';

import type { Ask } from './ask.js';
import { announcedHandler } from './channels.js';
import type { NeedFunctions } from './need.js';
import { pushOutside } from './push-outside.js';

/** A resumable handler while it runs. Nothing of its request but plain data: what user code leaves behind holds this. */
interface Running {
    readonly need: NeedFunctions;
    /** What the client of its request declared; `undefined` on 2025-era connections. */
    readonly declared: ClientCapabilities | undefined;
}

/** On the global object, so that the ESM and the CommonJS copy of this package share it. */
const SLOT: unique symbol = Symbol.for('mcp-mrtr.running/2');
const shared: typeof globalThis & { [SLOT]?: AsyncLocalStorage<Running> | undefined } = globalThis;
const running = (shared[SLOT] ??= new AsyncLocalStorage<Running>());

/** Runs a handler so that {@link need} finds it. */
export function runWithNeed<T>(need: NeedFunctions, declared: ClientCapabilities | undefined, run: () => T): T {
    // Of handlers that call each other, the outer one is the handler.
    const isOuter = running.getStore()?.need !== need;
    return running.run({ need, declared }, isOuter ? () => announcedHandler(run) : run);
}

/** The capabilities that the request of the running handler declares, if one runs and it speaks 2026-07-28. */
export function declaredCapabilities(): ClientCapabilities | undefined {
    return running.getStore()?.declared;
}

/**
 * `ctx.need` for code that cannot be given the context: asks for the resumable handler that is running.
 *
 * @param outside whom to ask where no handler is running, as in a test or at start-up: a server, or the context of a
 * request, whose own push method is called. That reaches clients of 2025-era connections only.
 * @throws Error (as a rejection) where no handler is running and there is no `outside`, as in a queue or an emitter that
 * was started outside of it.
 */
export function need<Result>(key: string, ask: Ask<Result>, outside?: object | null): Promise<Result> {
    const found = running.getStore();
    if (found !== undefined) return found.need.need(key, ask);
    if (outside !== undefined && outside !== null) return pushOutside(key, ask, outside);
    return Promise.reject(
        new Error(
            `need('${key}', …) was called where no resumable handler is running. Wrap the handler in resumable(); ` +
                `if it hands work to a queue, a pool or an emitter, bind the function with AsyncResource.bind, ` +
                `or pass ctx along and call ctx.need.`
        )
    );
}
