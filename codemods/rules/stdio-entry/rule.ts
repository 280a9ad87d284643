import type { Edit } from '../../edits/edit.js';
import type { EntryFact } from '../../facts/facts.js';
import type { Plan, Rule } from '../rule.js';

const ID = 'stdio-entry';

/** Serves both eras over stdio: `connect` alone speaks 2025-11-25 and earlier. */
export const stdioEntry: Rule = {
    meta: {
        id: ID,
        summary: '`server.connect(new StdioServerTransport())` serves 2025-era clients only; `serveStdio` serves both.',
        messages: {
            sharedServer:
                'one server object serves every connection of this process; build it in the factory given to serveStdio when clients probe and fall back on one pipe'
        },
        samples: [
            {
                before: 'await server.connect(new StdioServerTransport());',
                after: 'serveStdio(() => server);'
            }
        ]
    },
    plan: plan =>
        plan.facts.entries.filter(({ blocked }) => blocked === undefined).flatMap(entry => entryEdits(plan, entry))
};

function entryEdits(plan: Plan, entry: EntryFact): Edit[] {
    const { file, expression, server, transport, transportStatement, usedAsPromise } = entry;
    const serveStdio = plan.imports.add(file, '@modelcontextprotocol/server/stdio', 'serveStdio');
    const options =
        transport === undefined ? '' : transport === 'transport' ? ', { transport }' : `, { transport: ${transport} }`;
    const serve = `${serveStdio}(() => ${server}${options})`;
    // serveStdio returns a handle, not a promise; what was chained to connect() goes on working.
    const text = usedAsPromise ? `Promise.resolve(${serve})` : serve;
    const edits: Edit[] = [{ file, ...expression, text, rule: ID, group: plan.group }];
    if (transportStatement !== undefined) {
        edits.push({ file, ...transportStatement, text: '', rule: ID, group: plan.group });
    }
    return edits;
}
