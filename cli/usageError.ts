/** What the user has to put right before the command can start: ends with exit code 3 and no stack. */
export class UsageError extends Error {
    override readonly name = 'UsageError';
}
