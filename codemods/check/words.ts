import { FRAMEWORK_WORDS } from '../facts/frameworks.js';
import { GATE_WORDS } from '../facts/surface.js';

/** As they stand in an import: `tmcp` alone is a part of other names. */
const imported = FRAMEWORK_WORDS.flatMap(word =>
    /^[@/]|\//.test(word) ? [word] : [`'${word}`, `"${word}`, `@${word}/`]
);

/** A file without any of these words is of no concern: what concerns the migration, code that was migrated, our comments. */
export const LINT_WORDS: readonly string[] = [
    ...GATE_WORDS.filter(word => !FRAMEWORK_WORDS.includes(word)),
    ...imported,
    'mcp-mrtr'
];
