import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression, SourceFile } from 'ts-morph';
import { INTERRUPTIBLE_METHODS } from '../facts/surface.js';
import { functionBehind } from './functionValues.js';
import { isRuntimeCall } from './runtimeCalls.js';
import { memberName, objectLiteralOf, propertyValue, stringValue, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';

/** A callback registered with an SDK server. */
export interface Registration {
    call: CallExpression;
    /** `tool refund`, `prompt draft`, `resource config`, `tools/call`. */
    label: string;
    /** The argument that is the callback. */
    callback: Node;
    /** The function that runs, when it can be known. */
    fn: FunctionNode | undefined;
    /** Position of the context among the callback's parameters; unknown when the registration cannot be read. */
    contextIndex: number | undefined;
    interruptible: boolean;
    /** The callback is already `resumable(...)`. */
    wrapped: boolean;
}

const REGISTER_METHODS: ReadonlySet<string> = new Set([
    'registerTool',
    'registerPrompt',
    'registerResource',
    'setRequestHandler',
    'tool',
    'prompt',
    'resource'
]);

export function findRegistrations(file: SourceFile): Registration[] {
    const found: Registration[] = [];
    for (const node of file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
        const name = memberName(unwrap(node.getExpression()));
        if (name === undefined || !REGISTER_METHODS.has(name)) continue;
        const registration = read(node, name);
        if (registration !== undefined) found.push(registration);
    }
    return found;
}

function read(call: CallExpression, method: string): Registration | undefined {
    const args = call.getArguments();
    const last = args.at(-1);
    if (last === undefined || args.length < 2) return undefined;
    const wrapper = resumableCall(last);
    const callback = wrapper?.getArguments().at(-1) ?? last;
    if (!mayBeFunction(callback)) return undefined;
    const base = { call, callback, fn: functionBehind(callback), wrapped: wrapper !== undefined };
    const name = stringValue(args[0]) ?? args[0]?.getText() ?? '';
    switch (method) {
        case 'setRequestHandler': {
            const wire = requestMethod(args[0]);
            if (wire === undefined) return undefined;
            return { ...base, label: wire, contextIndex: 1, interruptible: INTERRUPTIBLE_METHODS.has(wire) };
        }
        case 'registerTool':
        case 'registerPrompt': {
            const schema = method === 'registerTool' ? 'inputSchema' : 'argsSchema';
            const has = hasProperty(args[1], schema);
            return {
                ...base,
                label: `${method === 'registerTool' ? 'tool' : 'prompt'} ${name}`,
                contextIndex: has === undefined ? undefined : has ? 1 : 0,
                interruptible: true
            };
        }
        case 'registerResource':
            return {
                ...base,
                label: `resource ${name}`,
                contextIndex: resourceContextIndex(args[1]),
                interruptible: true
            };
        default: {
            // The old `.tool(name, …, callback)` forms stay only where the SDK upgrade could not read them.
            if (args.length < 2 || stringValue(args[0]) === undefined) return undefined;
            return { ...base, label: `${method} ${name}`, contextIndex: undefined, interruptible: true };
        }
    }
}

/** `resumable(options?, callback)`. */
function resumableCall(node: Node): CallExpression | undefined {
    const expression = unwrap(node);
    return Node.isCallExpression(expression) && isRuntimeCall(expression, 'resumable') ? expression : undefined;
}

function mayBeFunction(node: Node): boolean {
    const expression = unwrap(node);
    return !Node.isStringLiteral(expression) && !Node.isObjectLiteralExpression(expression);
}

/** `'tools/call'`, or the wire method of a v1 schema such as `CallToolRequestSchema`. */
function requestMethod(node: Node | undefined): string | undefined {
    const literal = stringValue(node);
    if (literal !== undefined) return literal.includes('/') || literal === 'ping' ? literal : undefined;
    const text = node?.getText() ?? '';
    return text.endsWith('RequestSchema') ? (SCHEMA_METHODS[text] ?? text) : undefined;
}

const SCHEMA_METHODS: Readonly<Record<string, string>> = {
    CallToolRequestSchema: 'tools/call',
    GetPromptRequestSchema: 'prompts/get',
    ReadResourceRequestSchema: 'resources/read'
};

function hasProperty(config: Node | undefined, name: string): boolean | undefined {
    if (config === undefined) return undefined;
    const literal = objectLiteralOf(config);
    if (propertyValue(literal, name) !== undefined) return true;
    const type = config.getType();
    if (type.isAny() || type.isUnknown()) return literal === undefined ? undefined : false;
    return type.getProperty(name) !== undefined;
}

function resourceContextIndex(uri: Node | undefined): number | undefined {
    if (uri === undefined) return undefined;
    const expression = unwrap(uri);
    if (
        stringValue(expression) !== undefined ||
        expression.getType().isString() ||
        Node.isTemplateExpression(expression)
    ) {
        return 1;
    }
    if (Node.isNewExpression(expression)) return 2;
    return expression.getType().getSymbol()?.getName() === 'ResourceTemplate' ? 2 : undefined;
}
