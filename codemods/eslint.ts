import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { checkText } from './check/checkText.js';
import type { Finding } from './report.js';
import type { LintRule } from './rules/lintRule.js';
import { lintRules } from './rules/lintRules.js';

/**
 * The rules of `mcp-mrtr check` for ESLint 9 and 10 (flat configuration). A thin adapter: it sees one file and what that
 * imports, so it shows in an editor what stands in the file; what comes in through callers is found by `mcp-mrtr check`.
 *
 * The interfaces are written down here as far as they are used, so that the plugin needs no ESLint to be compiled.
 */
interface RuleContext {
    cwd: string;
    physicalFilename: string;
    sourceCode: { text: string };
    report(problem: {
        message: string;
        loc: { start: { line: number; column: number }; end: { line: number; column: number } };
    }): void;
}

interface RuleModule {
    meta: {
        type: 'problem' | 'suggestion';
        docs: { description: string; recommended: boolean };
        schema: [];
    };
    create(context: RuleContext): { Program?: () => void };
}

interface Plugin {
    meta: { name: string; version: string };
    rules: Record<string, RuleModule>;
    configs: Record<
        'recommended',
        { name: string; plugins: Record<string, Plugin>; rules: Record<string, 'error' | 'warn'> }
    >;
}

/** The findings of a file are made once for all of its rules. */
const findings = new WeakMap<RuleContext['sourceCode'], Finding[]>();

function findingsOf({ sourceCode, cwd, physicalFilename }: RuleContext): Finding[] {
    const known = findings.get(sourceCode);
    if (known !== undefined) return known;
    const found = isInProject(cwd, physicalFilename) ? checkText(cwd, physicalFilename, sourceCode.text) : [];
    findings.set(sourceCode, found);
    return found;
}

/** Text without a file (`<input>`) has no project. */
const isInProject = (cwd: string, path: string): boolean =>
    /\.[cm]?[jt]sx?$/.test(path) && !relative(cwd, path).startsWith('..');

function adapted({ id, category, level, summary }: LintRule): RuleModule {
    return {
        meta: {
            type: category === 'hygiene' ? 'suggestion' : 'problem',
            docs: { description: summary, recommended: level !== 'note' },
            schema: []
        },
        create: context => ({
            Program: () => {
                for (const { rule, message, suppressed, ...place } of findingsOf(context)) {
                    if (rule !== id || suppressed !== undefined) continue;
                    const start = { line: place.line, column: place.column - 1 };
                    context.report({
                        message,
                        loc: { start, end: { line: place.endLine, column: place.endColumn - 1 } }
                    });
                }
            }
        })
    };
}

const rules = Object.fromEntries(lintRules.map(rule => [rule.id, adapted(rule)]));

/** By name: `dist/codemods` and `codemods` lie at different depths. */
function ownVersion(): string {
    const manifest = createRequire(import.meta.url)('mcp-mrtr/package.json') as { version: string };
    return manifest.version;
}

const plugin: Plugin = {
    meta: { name: 'mcp-mrtr', version: ownVersion() },
    rules,
    configs: {
        recommended: {
            name: 'mcp-mrtr/recommended',
            plugins: {},
            rules: Object.fromEntries(
                lintRules
                    .filter(({ level }) => level !== 'note')
                    .map(({ id, level }) => [
                        `mcp-mrtr/${id}`,
                        level === 'error' ? ('error' as const) : ('warn' as const)
                    ])
            )
        }
    }
};
// A configuration names the plugin that it belongs to, and the plugin its configurations.
plugin.configs.recommended.plugins['mcp-mrtr'] = plugin;

export default plugin;
