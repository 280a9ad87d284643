/** `mcp-mrtr/testing`: contexts for tests of code that asks its client. */
export { createTestContext } from './test-context.js';
export type { TestContext, TestContextOptions } from './test-context.js';
export { playRounds } from './play-rounds.js';
export type { Played, PlayOptions } from './play-rounds.js';
export type { TestAnswer, TestClientOptions, TestQuestion } from './test-client.js';
