import type { LintCategory, LintRule } from '../rules/lintRule.js';

export const CATEGORY_TITLES: Readonly<Record<LintCategory, string>> = {
    deprecated: 'What revision 2026-07-28 does not have',
    'no-carrier': 'Nothing to carry the question',
    're-entry': 'The handler runs again from the top',
    state: 'What travels through the client',
    hygiene: 'Comments of this tool'
};

/** The page of a rule, in Markdown: its description, and its samples, which are its test. */
export function rulePage(rule: LintRule): string {
    const { id, category, level, summary, why, instead, incorrect, correct } = rule;
    return [
        `# ${id}`,
        summary,
        `Level: **${level}**. ${CATEGORY_TITLES[category]}.`,
        '## Why',
        why,
        '## What to do',
        instead,
        '## Reported',
        ...incorrect.map(fenced),
        '## Not reported',
        ...correct.map(fenced),
        '## To allow it',
        `At one place, with a reason: \`// mcp-mrtr-ignore ${id} <reason>\`. Everywhere: \`"rules": { "${id}": "off" }\` in the configuration.`
    ].join('\n\n');
}

const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``;

/** The list of all rules, by category. */
export function rulesPage(rules: readonly LintRule[], linkTo: (id: string) => string): string {
    const categories = [...new Set(rules.map(({ category }) => category))];
    const sections = categories.flatMap(category => [
        `## ${CATEGORY_TITLES[category]}`,
        [
            '| rule | level | finds |',
            '| --- | --- | --- |',
            ...rules
                .filter(rule => rule.category === category)
                .map(({ id, level, summary }) => `| ${linkTo(id)} | ${level} | ${summary} |`)
        ].join('\n')
    ]);
    return ['# Rules of `mcp-mrtr check`', ...sections].join('\n\n');
}
