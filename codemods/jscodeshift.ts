import { askingHandlers } from './jscodeshift/askingHandlers.js';
import { addImports } from './jscodeshift/imports.js';
import { keyed } from './jscodeshift/keys.js';
import { call, identifier, string, visit } from './jscodeshift/tree.js';
import type { AstNode } from './jscodeshift/tree.js';

/** As much of jscodeshift as is used; who runs the transform has it. */
interface JSCodeshift {
    (source: string): Parsed;
    withParser?: (parser: string) => (source: string) => Parsed;
}

interface Parsed {
    get(): { node: { program: AstNode } };
    toSource(options: { quote: 'single' | 'double'; lineTerminator: string }): string;
}

export interface TransformOptions {
    /** How files import the module that exports `attach` and `resumable`; `./mrtr.js` where nothing is said. */
    runtime?: string;
}

/**
 * The syntactic, single-file part of the migration as a jscodeshift transform, for SDK v2: handlers that are written inside
 * `registerTool`, `registerPrompt` or `registerResource` and ask first, before they do anything else. Whatever takes types,
 * other files or a decision is left as it is; `mcp-mrtr migrate` does those, and says what it leaves.
 *
 * `npx jscodeshift -t node_modules/mcp-mrtr/dist/codemods/jscodeshift.js --extensions=ts,js --parser=ts src`
 *
 * @returns the new text, or undefined where nothing changes.
 */
export default function transform(
    { source, path }: { source: string; path: string },
    { jscodeshift }: { jscodeshift: JSCodeshift },
    { runtime = './mrtr.js' }: TransformOptions = {}
): string | undefined {
    if (!source.includes('@modelcontextprotocol/server') || !/elicitInput|createMessage|listRoots/.test(source))
        return undefined;
    // Whether the client can be asked is decided elsewhere then, and a decision that stays would skip the question; or the
    // call is to be left.
    if (/getClientCapabilities|oninitialized|mcp-mrtr-ignore/.test(source)) return undefined;
    // The printer glues a shebang to the line below it, and writes line ends of its own.
    const shebang = /^#!.*\r?\n/.exec(source)?.[0] ?? '';
    const parse = jscodeshift.withParser?.(/\.[jt]sx$/.test(path) ? 'tsx' : 'ts') ?? jscodeshift;
    const parsed = parse(source.slice(shebang.length));
    const { program } = parsed.get().node;
    const { handlers, servers } = askingHandlers(program);
    if (handlers.length === 0) return undefined;

    const builders = new Set<string>();
    for (const handler of handlers) {
        for (const { ask, key } of keyed(handler.asks)) {
            const [request] = ask.node.arguments as AstNode[];
            builders.add(ask.builder);
            ask.node.callee = member(identifier(handler.context), 'need');
            ask.node.arguments = [string(key), call(identifier(ask.builder), request === undefined ? [] : [request])];
        }
        handler.takeContext();
        handler.registration.arguments = [
            ...(handler.registration.arguments as AstNode[]).slice(0, -1),
            call(identifier('resumable'), [handler.fn])
        ];
    }
    visit(program, node => {
        if (node.type !== 'VariableDeclarator' || !servers.has(node)) return;
        node.init = call(identifier('attach'), [node.init as AstNode]);
    });
    addImports(program, 'mcp-mrtr', [...builders].sort());
    addImports(program, runtime, ['attach', 'resumable']);
    const quote = /from "/.test(source) ? 'double' : 'single';
    const text = parsed.toSource({ quote, lineTerminator: source.includes('\r\n') ? '\r\n' : '\n' });
    return shebang + text;
}

const member = (object: AstNode, name: string): AstNode => ({
    type: 'MemberExpression',
    object,
    property: identifier(name),
    computed: false
});
