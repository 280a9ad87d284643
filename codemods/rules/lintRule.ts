import type { FindingLevel } from '../report.js';

/**
 * Why something is reported. `deprecated`: revision 2026-07-28 does not have it. `no-carrier`: there is no request whose
 * answer could be the question. `re-entry`: it would be noticed that the handler runs again from the top. `state`: what
 * travels through the client. `hygiene`: comments of this tool that say nothing any more.
 */
export type LintCategory = 'deprecated' | 'no-carrier' | 're-entry' | 'state' | 'hygiene';

/** A rule of `mcp-mrtr check`: all that its page, its help in SARIF and its test are made of. */
export interface LintRule {
    /** Name of its folder, and what suppressions and configuration call it. */
    id: string;
    category: LintCategory;
    level: FindingLevel;
    /** One sentence: what it finds. Markdown. */
    summary: string;
    /** What happens if nothing is done. Markdown, a paragraph or two. */
    why: string;
    /** What to do. Markdown. */
    instead: string;
    /** By id; `{name}` stands for data of the finding. */
    messages: Readonly<Record<string, string>>;
    /** Code that is reported, and code that is not. Each is checked in a server file with `samples.ts` above it. */
    incorrect: readonly string[];
    correct: readonly string[];
}

/** The message of a finding. */
export function messageOf(rule: LintRule, messageId: string, data: Readonly<Record<string, string>>): string {
    const template = rule.messages[messageId];
    if (template === undefined) throw new Error(`${rule.id} has no message ${messageId}`);
    return template.replace(/\{(\w+)\}/g, (_, name: string) => data[name] ?? '');
}
