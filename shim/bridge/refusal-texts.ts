import type { EmbeddedRequest } from '../exchange/question.js';

/**
 * What the push APIs of the SDKs say of a client that cannot be asked, before anything is sent: those of 1.13 to 1.32
 * and 2.x, and the asks that they say it of. `MCP error -32603: ` may stand before it.
 */
const TEXTS: readonly (readonly [RegExp, EmbeddedRequest])[] = [
    [/^Client does not support form elicitation\.$/, { method: 'elicitation/create', params: { mode: 'form' } }],
    [/^Client does not support url elicitation\.$/, { method: 'elicitation/create', params: { mode: 'url' } }],
    [
        /^Client does not support (URL )?elicitation \(required for elicitation\/create\)$/,
        { method: 'elicitation/create', params: { mode: 'form' } }
    ],
    [
        /^Client does not support sampling tools capability\.$/,
        { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, tools: [] } }
    ],
    [
        /^Client does not support sampling \(required for sampling\/createMessage\)$/,
        { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }
    ],
    [/^Client does not support (listing )?roots \(required for roots\/list\)$/, { method: 'roots/list' }]
];

/** The ask that an old server did not send because of what its client declared, if this text is all that it says. */
export function locallyRefused(text: string): EmbeddedRequest | undefined {
    const bare = text.trim().replace(/^(MCP error -?\d+: )+/, '');
    return TEXTS.find(([pattern]) => pattern.test(bare))?.[1];
}
