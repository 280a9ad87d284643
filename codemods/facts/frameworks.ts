import type { SiteKind } from '../report.js';

/**
 * Frameworks that own the context of a call: their asks are theirs to move to 2026-07-28, and code that is written for
 * them cannot be threaded or wrapped from outside. The SDK's own methods in such a project are migrated as anywhere.
 */
export interface Framework {
    name: string;
    /** How its package is imported. */
    imported: RegExp;
    /** Its own asking methods. */
    methods: Readonly<Record<string, SiteKind>>;
    /** What its users can do. */
    offers: string;
}

export const FRAMEWORKS: readonly Framework[] = [
    {
        name: 'fastmcp',
        imported: /^fastmcp(?:\/|$)/,
        methods: { requestSampling: 'sample', requestElicitation: 'elicit', elicit: 'elicit' },
        offers: 'its session asks (session.requestSampling, session.roots); move to a release of it that speaks 2026-07-28'
    },
    {
        name: 'xmcp',
        imported: /^xmcp(?:\/|$)/,
        methods: { elicit: 'elicit', sample: 'sample' },
        offers: 'extra.elicit works for 2025-era clients; its releases on SDK v2 return the question as a result instead'
    },
    {
        name: 'frontmcp',
        imported: /^@frontmcp\//,
        methods: { elicit: 'elicit', sample: 'sample' },
        offers: 'this.elicit of its tools keeps the call by itself; raise the framework'
    },
    {
        name: 'tmcp',
        imported: /^(?:tmcp|@tmcp\/.*)(?:\/|$)/,
        methods: { elicitation: 'elicit', message: 'sample', refreshRoots: 'roots' },
        offers: 'server.elicitation and server.message are its own; raise the framework'
    },
    {
        name: 'mcp-framework',
        imported: /^mcp-framework(?:\/|$)/,
        methods: {
            elicit: 'elicit',
            elicitUrl: 'elicitUrl',
            samplingRequest: 'sample',
            getRoots: 'roots',
            listRoots: 'roots'
        },
        offers: 'the methods of MCPTool ask through a server of its own; raise the framework'
    },
    {
        name: 'MCP-Nest',
        imported: /^@rekog\/mcp-nest(?:\/|$)/,
        methods: { elicit: 'elicit', sample: 'sample' },
        offers: 'context.mcpServer is the SDK server, but the framework calls the tools; raise it, or register that tool by hand'
    },
    {
        name: '@effect/ai',
        imported: /^@effect\/ai(?:\/|$)/,
        methods: { 'sampling/createMessage': 'sample', 'elicitation/create': 'elicit', 'roots/list': 'roots' },
        offers: 'McpServerClient sends its requests over a connection of the 2025 era; raise it'
    },
    {
        name: 'Cloudflare McpAgent',
        imported: /^agents\/mcp(?:\/|$)/,
        methods: { elicitInput: 'elicit' },
        offers: 'an McpAgent keeps a connection of the 2025 era; createMcpHandler of agents/mcp with an SDK v2 server serves 2026-07-28'
    }
];

/** Words of which a file has one where it may be written for a framework. */
export const FRAMEWORK_WORDS: readonly string[] = [
    'fastmcp',
    'xmcp',
    '@frontmcp/',
    'tmcp',
    'mcp-framework',
    '@rekog/mcp-nest',
    'agents/mcp'
];
