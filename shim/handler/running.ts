import { AsyncLocalStorage } from 'node:async_hooks';

import type { Ask } from './ask.js';
import type { NeedFunctions } from './need.js';

/** On the global object, so that the ESM and the CommonJS copy of this package share it. */
const SLOT: unique symbol = Symbol.for('mcp-mrtr.running/1');
const shared: typeof globalThis & { [SLOT]?: AsyncLocalStorage<NeedFunctions> | undefined } = globalThis;
const running = (shared[SLOT] ??= new AsyncLocalStorage<NeedFunctions>());

/** Runs a handler so that {@link need} finds it. */
export function runWithNeed<T>(need: NeedFunctions, run: () => T): T {
    return running.run(need, run);
}

/**
 * `ctx.need` for code that cannot be given the context: asks for the resumable handler that is running.
 *
 * @throws Error (as a rejection) where none is, as in a queue or an emitter that was started outside of it.
 */
export function need<Result>(key: string, ask: Ask<Result>): Promise<Result> {
    const found = running.getStore();
    if (found !== undefined) return found.need(key, ask);
    return Promise.reject(
        new Error(
            `need('${key}', …) was called where no resumable handler is running. Wrap the handler in resumable(); ` +
                `if it hands work to a queue, a pool or an emitter, bind the function with AsyncResource.bind, ` +
                `or pass ctx along and call ctx.need.`
        )
    );
}
