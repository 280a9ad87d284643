import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type {
    ClientCapabilities,
    CreateMessageResult,
    ElicitRequest,
    ElicitResult
} from '@modelcontextprotocol/client';
import { createMcpHandler, InMemoryTransport } from '@modelcontextprotocol/server';
import type { AuthInfo, McpServer, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

/** `http` and `stdio` speak 2026-07-28, `legacy` is the client's default: 2025-11-25. */
export type Wire = 'http' | 'stdio' | 'legacy';

export const WIRES: readonly Wire[] = ['http', 'stdio', 'legacy'];

type Elicited = ElicitRequest['params'];

export interface Scene {
    readonly capabilities?: ClientCapabilities;
    readonly elicit?: (params: Elicited) => ElicitResult | Promise<ElicitResult>;
    readonly sample?: (text: string) => CreateMessageResult;
    readonly roots?: string[];
    readonly maxRounds?: number;
    readonly authInfo?: AuthInfo;
}

/** Everything a client can declare. */
export const ALL: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export interface Connected {
    readonly client: Client;
    /** What the client has been asked, in the order in which it was. */
    readonly asked: string[];
    readonly close: () => Promise<void>;
}

/** A real client connected to a real server, with people behind it that answer as the scene says. */
export async function connect(factory: () => McpServer | Server, wire: Wire, scene: Scene = {}): Promise<Connected> {
    const client = new Client(
        { name: 'test-client', version: '1.0.0' },
        {
            capabilities: scene.capabilities ?? ALL,
            ...(scene.maxRounds !== undefined && { inputRequired: { maxRounds: scene.maxRounds } }),
            ...(wire !== 'legacy' && { versionNegotiation: { mode: { pin: '2026-07-28' } } })
        }
    );
    const asked = answerAs(client, scene);
    if (wire === 'http') {
        const handler = createMcpHandler(factory);
        const transport = new StreamableHTTPClientTransport(new URL('http://server.test/mcp'), {
            fetch: (url, init) => handler.fetch(new Request(url, init), scene.authInfo && { authInfo: scene.authInfo })
        });
        await client.connect(transport);
        return { client, asked, close: () => client.close().finally(() => handler.close()) };
    }
    const [near, far] = InMemoryTransport.createLinkedPair();
    const handle = serveStdio(factory, { transport: far });
    await client.connect(near);
    return { client, asked, close: () => client.close().finally(() => handle.close()) };
}

export function answerAs(client: Client, { capabilities = ALL, elicit, sample, roots }: Scene): string[] {
    const asked: string[] = [];
    if (capabilities.elicitation) {
        client.setRequestHandler('elicitation/create', async ({ params }) => {
            asked.push(params.message);
            return (await elicit?.(params)) ?? { action: 'accept', content: { answer: `to ${params.message}` } };
        });
    }
    if (capabilities.sampling) {
        client.setRequestHandler('sampling/createMessage', ({ params }) => {
            const [message] = params.messages;
            const content = Array.isArray(message?.content) ? message.content[0] : message?.content;
            const text = content?.type === 'text' ? content.text : '';
            asked.push(text);
            return (
                sample?.(text) ?? {
                    role: 'assistant',
                    model: 'test-model',
                    content: { type: 'text', text: `sampled ${text}` }
                }
            );
        });
    }
    if (capabilities.roots) {
        client.setRequestHandler('roots/list', () => {
            asked.push('roots');
            return { roots: (roots ?? ['file:///home']).map(uri => ({ uri })) };
        });
    }
    return asked;
}

/** The text of a tool result. */
export function textOf(result: unknown): string {
    const { content } = result as { content: { type: string; text?: string }[] };
    return content.map(block => block.text ?? '').join('\n');
}
