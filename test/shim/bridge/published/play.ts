import type { Client, CompleteRequest } from '@modelcontextprotocol/client';

/** A client of a published server, and what it has been asked. */
export interface Player {
    readonly client: Client;
    readonly asked: string[];
}

/** What is done with a published server: everything that it has, in an order that its answers do not depend on. */
export interface Script {
    readonly tools: readonly (readonly [name: string, args: Record<string, unknown>])[];
    readonly prompts: readonly (readonly [name: string, args: Record<string, string>])[];
    /** Resources beside those that it lists, as of templates. */
    readonly resources: readonly string[];
    readonly completions: readonly CompleteRequest['params'][];
}

/** Plays all of it. The result is the same for clients of both eras. */
export async function play({ client, asked }: Player, script: Script) {
    const { prompts: hasPrompts, resources: hasResources } = client.getServerCapabilities() ?? {};
    const { tools } = await client.listTools();
    const prompts = hasPrompts ? (await client.listPrompts()).prompts : [];
    const resources = hasResources ? (await client.listResources()).resources : [];
    const templates = hasResources ? (await client.listResourceTemplates()).resourceTemplates : [];
    const results: Record<string, unknown> = {};
    for (const [name, args] of script.tools) {
        const before = asked.length;
        const result = await client.callTool({ name, arguments: args }).catch(failure);
        // When the roots of a client are fetched is not what is compared.
        const questions = asked.slice(before).filter(question => question !== 'roots');
        results[`${name} ${JSON.stringify(args)}`] = { result, questions };
    }
    for (const [name, args] of script.prompts) {
        results[`prompt ${name}`] = await client.getPrompt({ name, arguments: args }).catch(failure);
    }
    for (const uri of [...resources.map(resource => resource.uri), ...script.resources]) {
        results[uri] = await client.readResource({ uri }).catch(failure);
    }
    for (const params of script.completions) {
        results[`complete ${JSON.stringify(params)}`] = (await client.complete(params)).completion;
    }
    return stable({
        version: client.getServerVersion(),
        instructions: client.getInstructions(),
        tools,
        prompts,
        resources,
        templates,
        results
    });
}

/** Codes that a revision has changed are none of the server's business. */
function failure(error: unknown): { failed: string } {
    return { failed: error instanceof Error ? error.message : String(error) };
}

/** Without what only one era has, and with the time of day and the session, which stdio has none of, hidden. */
function stable(value: unknown): unknown {
    const hidden = new Set(['_meta', 'resultType', 'ttlMs', 'cacheScope', 'execution']);
    return JSON.parse(
        JSON.stringify(value, (name, member: unknown) => {
            if (hidden.has(name)) return undefined;
            if (typeof member !== 'string') return member;
            return member.replace(/\d{1,2}:\d\d:\d\d( [AP]M)?/g, '<time>').replace(/session [\w-]+/g, 'session <id>');
        })
    );
}
