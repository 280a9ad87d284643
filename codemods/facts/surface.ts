import type { SiteKind } from '../report.js';
import { FRAMEWORK_WORDS } from './frameworks.js';

/**
 * What protocol revision 2026-07-28 took away from servers, as the SDKs spell it. Every rule and the lint read this
 * one table. Source: docs/specification/2026-07-28/basic/patterns/mrtr and client/*; SDK v1 1.13–1.32 and v2 2.0–2.4.
 */

/** Methods that send one fixed request: `<receiver>.<name>(params, options?)`. */
export const PUSH_METHODS: Readonly<Record<string, SiteKind>> = {
    elicitInput: 'elicit',
    createMessage: 'sample',
    requestSampling: 'sample',
    listRoots: 'roots'
};

/** Methods that send the request they are given: `<receiver>.<name>({ method, params }, schema?, options?)`. */
export const SEND_METHODS: ReadonlySet<string> = new Set(['request', 'sendRequest', 'send']);

/** Server-to-client request methods on the wire. */
export const WIRE_METHODS: Readonly<Record<string, SiteKind>> = {
    'elicitation/create': 'elicit',
    'sampling/createMessage': 'sample',
    'roots/list': 'roots'
};

/** Signals that a page is done; there is no such notification on 2026-07-28. */
export const COMPLETION_NOTIFIER = 'createElicitationCompletionNotifier';

/** Thrown to ask for pages first (error -32042); there is no such error on 2026-07-28. */
export const URL_REQUIRED_ERROR = 'UrlElicitationRequiredError';

/** Reads what the client declared at `initialize`; on 2026-07-28 capabilities come with each request. */
export const CAPABILITIES_GETTER = 'getClientCapabilities';

/**
 * Words of files from which something has to reach the functions that call theirs. What only names the SDK has no such
 * word: its importers do not matter.
 */
export const CARRIED_WORDS: readonly string[] = [
    ...Object.keys(PUSH_METHODS),
    'sendRequest',
    ...Object.keys(WIRE_METHODS),
    URL_REQUIRED_ERROR,
    CAPABILITIES_GETTER,
    // Its calls of ctx.need.
    'mcp-mrtr'
];

/** A file without any of these words concerns neither the migration nor the lint, and is not parsed. */
export const GATE_WORDS: readonly string[] = [
    '@modelcontextprotocol/',
    ...CARRIED_WORDS,
    COMPLETION_NOTIFIER,
    ...FRAMEWORK_WORDS
];

/** Request methods whose answer may be `input_required` (spec: basic/patterns/mrtr, Supported Requests). */
export const INTERRUPTIBLE_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);
