import type { Edit } from '../../edits/edit.js';
import type { HttpEntryFact, ServedEntry } from '../../facts/facts.js';
import type { Plan, Rule } from '../rule.js';

const ID = 'http-entry';

/**
 * Serves 2026-07-28 in front of a route of Streamable HTTP. The route stays as it is for requests of 2025-era clients,
 * with its sessions: `createMcpHandler` alone would serve those without any, and they could not be asked. The eras part
 * where the route begins to serve, behind whatever it looks at before: who may call holds for both.
 */
export const httpEntry: Rule = {
    meta: {
        id: ID,
        summary:
            'A Streamable HTTP transport serves 2025-era clients only; `createMcpHandler` in front of it serves the others.',
        messages: {
            todo: 'answer requests for which isLegacyRequest(request) is false with createMcpHandler(createServer, { legacy: "reject" })'
        },
        samples: [
            {
                before: "app.post('/mcp', async (req, res) => { … await transport.handleRequest(req, res, req.body); });",
                after:
                    "const modern = toNodeHandler(createMcpHandler(() => createServer(), { legacy: 'reject' }));\n" +
                    "app.post('/mcp', async (req, res) => {\n" +
                    '    if (!(await isLegacyRequest(await toWebRequest(req, req.body)))) return modern(req, res, req.body);\n' +
                    '    … await transport.handleRequest(req, res, req.body); });'
            }
        ]
    },
    plan: plan => {
        const taken = new Map(plan.facts.modules.map(({ file, boundNames }) => [file, new Set(boundNames)]));
        return plan.facts.httpEntries.flatMap(entry => entryEdits(plan, entry, taken.get(entry.file) ?? new Set()));
    }
};

/** @param taken names of the file that mean something already; the one of the handler is added. */
function entryEdits(plan: Plan, { file, serve, left }: HttpEntryFact, taken: Set<string>): Edit[] {
    if (serve === undefined || left !== undefined) return [];
    const module = plan.facts.modules.find(one => one.file === file);
    const end = module?.semicolon === false ? '' : ';';
    const eol = module?.eol ?? '\n';
    const quote = module?.quote ?? "'";
    const { declareAt, declareIndent, branchAt, branchIndent } = serve;
    const name = freeName(taken);
    taken.add(name);
    const { declaration, branch } = texts(plan, file, serve, name, quote);
    const edit = (at: number, text: string): Edit => ({ file, start: at, end: at, text, rule: ID, group: plan.group });
    return [
        ...serve.insertions.map(({ at, text }) => edit(at, text)),
        edit(declareAt, `${declareIndent}${declaration}${end}${eol}`),
        edit(branchAt, branch.map(line => `${branchIndent}${line}${end}${eol}`).join(''))
    ];
}

function freeName(taken: ReadonlySet<string>): string {
    for (let count = 1; ; count += 1) {
        const name = count === 1 ? 'modern' : `modern${count}`;
        if (!taken.has(name)) return name;
    }
}

function texts(
    { imports }: Plan,
    file: string,
    { transport, factory, request, hijacks }: ServedEntry,
    name: string,
    quote: string
): { declaration: string; branch: string[] } {
    const create = imports.add(file, '@modelcontextprotocol/server', 'createMcpHandler');
    const isLegacy = imports.add(file, '@modelcontextprotocol/server', 'isLegacyRequest');
    const handler = `${create}(${factory}, { legacy: ${quote}reject${quote} })`;
    const [first = '', , body = ''] = request;
    if (transport === 'web') {
        return {
            declaration: `const ${name} = ${handler}`,
            branch: [`if (!(await ${isLegacy}(${first}))) return ${name}.fetch(${first})`]
        };
    }
    const toNode = imports.add(file, '@modelcontextprotocol/node', 'toNodeHandler');
    const toWeb = imports.add(file, '@modelcontextprotocol/node', 'toWebRequest');
    const isModern = `!(await ${isLegacy}(await ${toWeb}(${first}, ${body})))`;
    const answer = `${name}(${request.join(', ')})`;
    // Fastify answers by itself unless it is told that the reply is another's.
    const reply = /^(\w+)\.raw$/.exec(request[1] ?? '')?.[1];
    return {
        declaration: `const ${name} = ${toNode}(${handler})`,
        branch:
            hijacks && reply !== undefined
                ? [`if (${isModern}) return ${reply}.hijack(), ${answer}`]
                : [`if (${isModern}) return ${answer}`]
    };
}
