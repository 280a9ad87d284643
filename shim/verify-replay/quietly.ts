/** What only watches must not be able to fail the call. */
export function quietly(run: () => void): void {
    try {
        run();
    } catch {
        // An argument with a getter that throws, say: the original will meet it too.
    }
}
