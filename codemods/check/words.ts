import { GATE_WORDS } from '../facts/surface.js';

/** A file without any of these words is of no concern: what concerns the migration, code that was migrated, our comments. */
export const LINT_WORDS: readonly string[] = [...GATE_WORDS, 'mcp-mrtr'];
