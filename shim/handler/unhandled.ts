/** How long after such an error its rejection may still come up: a `finally` takes its time. In milliseconds. */
const TOLERATED_MS = 60_000;

const tolerated = new WeakSet<Error>();
let forget: NodeJS.Timeout | undefined;

/**
 * Keeps the process alive if this error goes unhandled. What a frame that is over still waits for rejects, so that each
 * branch releases what it holds; a branch that is awaited later would never be awaited then, and its rejection end the
 * process: `const a = ask('a'), b = ask('b'); await a; await b;`.
 *
 * Only where nobody listens to unhandled rejections; who does is told as ever.
 */
export function tolerateUnhandled(error: Error): void {
    tolerated.add(error);
    if (forget === undefined) process.on('unhandledRejection', onUnhandled);
    clearTimeout(forget);
    forget = setTimeout(() => {
        forget = undefined;
        process.off('unhandledRejection', onUnhandled);
    }, TOLERATED_MS).unref();
}

function onUnhandled(reason: unknown): void {
    if (reason instanceof Error && tolerated.has(reason)) return;
    // A listener keeps Node from ending the process, which is not for us to change.
    if (process.listenerCount('unhandledRejection') === 1) throw reason;
}
