import type { Ask, AskMethod } from './ask.js';

type Push = (request: unknown) => Promise<unknown>;

/** The methods that send one fixed request, by what they ask. */
const PUSH_METHODS: Readonly<Record<AskMethod, readonly string[]>> = {
    'elicitation/create': ['elicitInput'],
    'sampling/createMessage': ['createMessage', 'requestSampling'],
    'roots/list': ['listRoots']
};

/** The methods that send the request that they are given. */
const SEND_METHODS = ['request', 'send', 'sendRequest'];

/**
 * Asks outside of any resumable handler, as a server of the 2025 era does: by the push method of a server (also one of
 * the project's own that stands for it), of what is around it (`McpServer`), or of a request's context.
 */
export async function pushOutside<Result>(key: string, ask: Ask<Result>, target: object): Promise<Result> {
    for (const holder of [target, memberOf(target, 'server'), memberOf(target, 'mcpReq')]) {
        if (holder === undefined) continue;
        const push = methodOf(holder, PUSH_METHODS[ask.method]);
        if (push !== undefined) return (await push(pushed(ask))) as Result;
        const send = methodOf(holder, SEND_METHODS);
        const { method, params } = ask;
        if (send !== undefined) return (await send(params === undefined ? { method } : { method, params })) as Result;
    }
    throw new Error(`need('${key}', …) was called outside of a handler, with a server that cannot send ${ask.method}`);
}

/** A form is what is asked for where nothing is said; servers of the 2025 era seldom say it. */
function pushed({ params }: Ask<unknown>): unknown {
    if (params?.['mode'] !== 'form') return params;
    const { mode: _, ...form } = params;
    return form;
}

function methodOf(holder: object, names: readonly string[]): Push | undefined {
    for (const name of names) {
        const method = (holder as Readonly<Record<string, unknown>>)[name];
        if (typeof method === 'function')
            return request => (method as (request: unknown) => Promise<unknown>).call(holder, request);
    }
    return undefined;
}

function memberOf(target: object, name: string): object | undefined {
    const member = (target as Readonly<Record<string, unknown>>)[name];
    return typeof member === 'object' && member !== null ? member : undefined;
}
