import { defineConfig } from 'vitest/config';

export default defineConfig({
    test: {
        include: ['test/**/*.test.ts'],
        // A migration takes seconds on an idle machine and more than a minute on one that is shared.
        testTimeout: 180_000,
        hookTimeout: 300_000,
        // Two cores in CI: child processes of the tests need one of them.
        maxWorkers: 2
    }
});
