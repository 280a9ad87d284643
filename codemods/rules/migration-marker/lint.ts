import type { LintRule } from '../lintRule.js';

export const migrationMarkerLint: LintRule = {
    id: 'migration-marker',
    category: 'state',
    level: 'warning',
    summary: 'A comment of the migration says that something is left to do by hand.',
    why: 'The call behind an `@mcp-mrtr-todo` was left because it could not be proven that its rewriting would be as careful as it was. It does not work on revision 2026-07-28.',
    instead: 'Do what the comment says, and remove it.',
    messages: {
        todo: 'left by the migration: {todo}'
    },
    incorrect: [
        `/* @mcp-mrtr-todo elicit-input: it runs in a timer */
server.registerTool('refund', CONFIG, async () => text('done'));`
    ],
    correct: [
        `// the migration is done
server.registerTool('refund', CONFIG, async () => text('done'));`
    ]
};
