/** `server.tool('name', …)`: v2 has no such method, and a file that is given its server need not import the SDK. */
const OLD_REGISTRATION = /\.(?:tool|prompt|resource)\(\s*['"`]/;
const SERVER = /\b(?:server|mcp\w*|app)\.(?:tool|prompt|resource)\(/i;

/** `extra.sendRequest(…)` in a handler: what v2 gives it has other members. */
const REGISTRATION = /\.(?:registerTool|registerPrompt|registerResource|setRequestHandler)\(/;
const OLD_CONTEXT = /\bextra\??\.\w/;

/** Whether a file without the SDK's name registers handlers in the way of SDK v1, as far as its text says. */
export const registersOldWay = (text: string): boolean =>
    (OLD_REGISTRATION.test(text) && SERVER.test(text)) || (REGISTRATION.test(text) && OLD_CONTEXT.test(text));

/** Whether a file registers handlers on a server, as far as its text says. */
export const registersOnServer = (text: string): boolean => registersOldWay(text) || REGISTRATION.test(text);
