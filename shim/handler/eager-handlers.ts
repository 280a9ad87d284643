import type { LowLevelServer } from './attach.js';
import type { AskingMethod } from './era.js';

/** What an `McpServer` installs by itself while it is made, for a capability that its options declare. */
interface Family {
    readonly methods: readonly string[];
    readonly registries: readonly string[];
    readonly flag: string;
    readonly install: string;
}

const FAMILIES: Readonly<Record<AskingMethod, Family>> = {
    'tools/call': {
        methods: ['tools/list', 'tools/call'],
        registries: ['_registeredTools'],
        flag: '_toolHandlersInitialized',
        install: 'setToolRequestHandlers'
    },
    'prompts/get': {
        methods: ['prompts/list', 'prompts/get'],
        registries: ['_registeredPrompts'],
        flag: '_promptHandlersInitialized',
        install: 'setPromptRequestHandlers'
    },
    'resources/read': {
        methods: ['resources/list', 'resources/templates/list', 'resources/read'],
        registries: ['_registeredResources', '_registeredResourceTemplates'],
        flag: '_resourceHandlersInitialized',
        install: 'setResourceRequestHandlers'
    }
};

/**
 * `new McpServer(info, { capabilities: { tools: {} } })` has its handlers before anybody could attach it. As long as
 * nothing is registered with it, they can be taken out and installed again, through the seam this time.
 *
 * There is no public way to do so: the names are those of `McpServer` 2.x, and what does not look like it is left
 * alone.
 *
 * @returns the function that installs them again; `undefined` if the handler is not one of these.
 */
export function eagerReinstall(server: object, low: LowLevelServer, method: AskingMethod): (() => void) | undefined {
    const { methods, registries, flag, install } = FAMILIES[method];
    const members = server as Record<string, unknown>;
    const isEmpty = (registry: unknown): boolean =>
        typeof registry === 'object' && registry !== null && Object.keys(registry).length === 0;
    const installer = members[install];
    if (members[flag] !== true || typeof installer !== 'function') return undefined;
    if (!registries.every(name => isEmpty(members[name]))) return undefined;
    return () => {
        for (const name of methods) low.removeRequestHandler(name);
        members[flag] = false;
        installer.call(server);
    };
}
