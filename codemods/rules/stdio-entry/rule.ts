import type { Edit } from '../../edits/edit.js';
import type { EntryFact, TransportHooks } from '../../facts/facts.js';
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
    const { file, expression, server, transport, transportStatement, usedAsPromise, hooks } = entry;
    const serveStdio = plan.imports.add(file, '@modelcontextprotocol/server/stdio', 'serveStdio');
    const options = [
        ...(transport === undefined ? [] : [transport === 'transport' ? 'transport' : `transport: ${transport}`]),
        ...(transport !== undefined && hooks?.onerror === true ? [`onerror: ${transport}.onerror`] : [])
    ];
    const serve = `${serveStdio}(() => ${server}${options.length === 0 ? '' : `, { ${options.join(', ')} }`})`;
    // serveStdio returns a handle, not a promise; what was chained to connect() goes on working.
    const text = usedAsPromise ? `Promise.resolve(${serve})` : serve;
    const edits: Edit[] = [{ file, ...expression, text, rule: ID, group: plan.group }];
    if (transportStatement !== undefined) {
        edits.push({ file, ...transportStatement, text: '', rule: ID, group: plan.group });
    }
    if (transport !== undefined && hooks?.onclose !== undefined) {
        edits.push(...closeEdits(plan, file, transport, hooks.onclose));
    }
    return edits;
}

/** Calls what was hung on the transport before the entry closes the server, as `connect` did. */
function closeEdits(
    plan: Plan,
    file: string,
    transport: string,
    { before, after, indent }: NonNullable<TransportHooks['onclose']>
): Edit[] {
    const module = plan.facts.modules.find(one => one.file === file);
    const end = module?.semicolon === false ? '' : ';';
    const eol = module?.eol ?? '\n';
    const free = (name: string): string => (module?.boundNames.includes(name) === true ? free(`${name}_`) : name);
    const [own, entry] = [free('onTransportClose'), free('onEntryClose')];
    const edit = (at: number, line: string): Edit => ({
        file,
        start: at,
        end: at,
        text: `${indent}${line}${end}${eol}`,
        rule: ID,
        group: plan.group
    });
    const both = `${transport}.onclose = () => { ${own}?.(); ${entry}?.(); }`;
    return [
        edit(before, `const ${own} = ${transport}.onclose`),
        edit(after, `const ${entry} = ${transport}.onclose${end}${eol}${indent}${both}`)
    ];
}
