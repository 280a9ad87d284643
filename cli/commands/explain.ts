import type { Command } from 'commander';
// Not by way of codemods/index.ts, which loads the type checker: the pages do without.
import { nearestRule } from '../../codemods/check/nearestRule.js';
import { rulePage, rulesPage } from '../../codemods/check/rulePage.js';
import { lintRule, lintRules } from '../../codemods/rules/lintRules.js';
import type { CommonOptions, Session } from '../session.js';
import { UsageError } from '../usageError.js';

export function defineExplain(program: Command, session: Session): void {
    program
        .command('explain')
        .summary('print the page of a rule of check')
        .description('Prints what a rule of check finds, why, and what to do; without a rule, the list of all of them.')
        .argument('[rule]', 'id of the rule')
        .addHelpText('after', '\nExit codes:\n  0   printed\n  3   there is no such rule')
        .action((id: string | undefined, _flags: unknown, command: Command) => {
            session.data(() => page(id), command.optsWithGlobals<CommonOptions>());
        });
}

function page(id: string | undefined): string {
    if (id === undefined) return rulesPage(lintRules, name => name);
    const rule = lintRule(id);
    if (rule === undefined)
        throw new UsageError(`No rule is called ${id}${nearestRule(id)}. mcp-mrtr explain lists all.`);
    return rulePage(rule);
}
