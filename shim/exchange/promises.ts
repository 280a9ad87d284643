/** A promise of its own for every caller: reactions on a shared one would pile up. */
export function never(): Promise<never> {
    return new Promise(() => undefined);
}

/** Lets a promise reject without anybody who waits for it, as a losing branch leaves it, and the process go on. */
export function unawaited<T>(promise: Promise<T>): Promise<T> {
    promise.catch(() => undefined);
    return promise;
}

/** A rejection that may go {@link unawaited}. */
export function quietRejection(error: Error): Promise<never> {
    return unawaited(Promise.reject(error));
}
