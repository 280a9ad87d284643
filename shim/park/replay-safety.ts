/** The part of an `McpServer` that knows its tools. The SDK has no public way to read it: the names are those of 2.x. */
interface ToolRegistry {
    readonly _registeredTools?: Readonly<Record<string, { readonly annotations?: Hints | undefined } | undefined>>;
}

interface Hints {
    readonly readOnlyHint?: boolean | undefined;
    readonly idempotentHint?: boolean | undefined;
}

/**
 * Whether a tool is annotated as one that may be run again: it changes nothing, or changes nothing more the second
 * time (DESIGN rule 10). A low-level server shows its tools to nobody, so there it is not known.
 */
export function isAnnotatedSafe(server: object, tool: string): boolean {
    const tools = (server as ToolRegistry)._registeredTools ?? {};
    const hints = Object.hasOwn(tools, tool) ? tools[tool]?.annotations : undefined;
    return hints?.readOnlyHint === true || hints?.idempotentHint === true;
}
