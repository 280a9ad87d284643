export function delay(ms: number): Promise<void> {
    return new Promise(resolve => setTimeout(resolve, ms));
}

/** Rejects with `late` if the promise has not settled after `ms` milliseconds. */
export function inTime<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(late()), ms);
    });
    return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

export function asError(value: unknown): Error {
    return value instanceof Error ? value : new Error(String(value));
}
