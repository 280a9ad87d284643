import type { SiteKind } from '../report.js';

/**
 * What the scan knows about a project, as plain data: the plan and the rules work on facts and texts, never on syntax
 * trees, so that facts can be written to disk and rules can be tested without a compiler.
 * All spans are UTF-16 offsets into the text after the SDK upgrade; files are absolute paths.
 */
export interface Span {
    start: number;
    end: number;
}

/** Where something can be put in between: `before` + what is inserted + `after` at offset `at`. */
export interface Gap {
    at: number;
    before: string;
    after: string;
}

/** Why a site cannot simply be asked again from the top, or should be looked at. */
export interface Hazard {
    level: 'manual' | 'review';
    message: string;
    /**
     * What takes the hazard away: running it once per call (`once` says what), or a handler that waits in memory instead
     * of running again. What `once` cures, `park` cures too.
     */
    cure?: 'once' | 'park';
    once?: OnceFact;
    /** All that is wrong is that no context can be handed to the ask; it may still find the handler that is running. */
    threading?: true;
}

/** How an ask without a context finds its handler: it is the one that is running, as AsyncLocalStorage knows. */
export interface AmbientFact {
    /** What the old call was made on, as text: asked where no handler runs, as in a test. */
    outside: string;
    /** Ids of the handlers that run it; absent where they are not known: then all handlers of its servers wait in memory. */
    handlers?: string[];
    /** Nothing but tests and code outside of requests keeps the context from it: the ways from the handlers are known. */
    known: boolean;
    /** It is called outside of requests, too, where it reaches clients of 2025-era connections only. */
    alsoOutside: boolean;
}

/** A piece of code that is to run once per call, whatever round it is: `await ctx.once('key', () => piece)`. */
export interface OnceFact {
    file: string;
    /** The expression that goes into the function. */
    span: Span;
    /** The function whose context parameter is used. */
    context: string;
    /**
     * `promise`: the expression is a promise, and so is what takes its place. `value`: it is a value that is had after
     * awaiting inside. `sync`: it is had at once. `date`: `new Date()`, whose argument is put in.
     */
    form: 'promise' | 'value' | 'sync' | 'date';
    /** Nothing uses the value: the function is a block, and its result does not matter. */
    statement: boolean;
    /** The expression awaits something itself. */
    awaits: boolean;
    /** The expression is an object literal, or what takes its place is read from: parentheses are needed. */
    parentheses: { inside: boolean; outside: boolean };
    /** Raw material for the key. */
    name: string;
}

/** What stands in the request argument of a push call. */
export type RequestFact =
    /**
     * The parameters are this stretch of text. `comments` stand on lines of their own above the options that go;
     * `indent` is that of the line on which the request ends.
     */
    | { form: 'params'; span: Span; comments: readonly string[]; indent: string }
    /** The parameters are a property of a request held in a variable: `request.params`. */
    | { form: 'property'; text: string }
    /** No parameters (roots). */
    | { form: 'none' };

export interface SiteFact {
    id: string;
    file: string;
    kind: SiteKind;
    /** Id of the rule that is responsible for it. */
    rule: string;
    api: string;
    /** The call (or `new` expression). */
    call: Span;
    request: RequestFact | undefined;
    /** A property of the parameters that means nothing any more, with its comma. */
    pageId?: Span;
    /** Option names of the old call that mean nothing on 2026-07-28, e.g. `timeout`. */
    droppedOptions: string[];
    /** Raw material for the key: the variable that takes the answer, properties of the form, the function it is in. */
    keyHints: { variable?: string; properties: string[]; enclosing?: string };
    /** The function whose context parameter the call uses; absent when none can be had. */
    context?: string;
    hazards: Hazard[];
    /** The ask can do without a context; the plan says whether it has to. */
    ambient?: AmbientFact;
    /** The name `sendRequest` of a member that the context of SDK v2 calls `mcpReq.send`. */
    sendName?: Span;
    /** It starts side by side with others, after other awaits. */
    settles?: boolean;
    /** Offset of the statement it stands in, where a comment can go. */
    statement: number;
}

/** A read of `X.getClientCapabilities()` on the way to a handler's ask. */
export interface GuardFact {
    file: string;
    call: Span;
    /** Text of `X`. */
    receiver: string;
    context?: string;
    /** It looks at the request of the handler that is running. */
    ambient?: true;
}

/** How a function gets its context parameter. `typed`: the file is TypeScript and nothing infers the type. */
export type ContextParameter =
    | { form: 'present'; name: string; /** A type annotation that has to become NeedContext. */ annotation?: Span }
    | { form: 'replace'; name: string; span: Span; typed: boolean }
    | {
          form: 'insert';
          name: string;
          gap: Gap;
          typed: boolean;
          /** Where an arrow function without parentheses needs one opened. */
          open?: number;
      };

/** A function on the way from a handler to an ask. */
export interface FunctionFact {
    id: string;
    file: string;
    name: string;
    parameter: ContextParameter;
    /** The written result type of the function that returns this one, as it has to read. */
    result?: { span: Span; text: string };
    /** Calls of this function, with the function they stand in. */
    calls: CallFact[];
    /** Ids of the handlers that reach it. */
    handlers: string[];
}

export interface CallFact {
    file: string;
    /** The function whose context is handed on. */
    caller: string;
    /** Where the argument goes: a gap, or an argument to replace. */
    argument: { form: 'insert'; gap: Gap } | { form: 'replace'; span: Span };
}

/** A handler registered with the SDK: its callback is a FunctionFact with the same id. */
export interface HandlerFact {
    id: string;
    file: string;
    /** `tool refund`, `prompt draft`, `tools/call`. */
    label: string;
    /** The expression to wrap in `resumable(...)`. */
    callback: Span;
    /** Already inside `resumable(...)`. */
    wrapped: boolean;
    /** Whether the request method may be interrupted on 2026-07-28. */
    interruptible: boolean;
}

/** `new McpServer(...)` or `new Server(...)`, or the `super(...)` of a class that extends one. */
export interface ServerFact {
    file: string;
    construction: Span;
    attached: boolean;
    /** All its handlers wait in memory, since which of them ask is not known. */
    parks?: true;
    /** The construction is a statement in a constructor, behind which the server is attached. */
    statement?: { indent: string; semicolon: boolean };
}

/** `server.connect(new StdioServerTransport())`. */
export interface EntryFact {
    file: string;
    /** Offset of the call. */
    connect: number;
    /** The expression to replace: the call, with its `await` when nothing but the statement uses it. */
    expression: Span;
    /** Text of the server expression. */
    server: string;
    /** Text of the transport variable to hand over, when the transport has uses of its own. */
    transport?: string;
    /** Span of a transport declaration that has no other use. */
    transportStatement?: Span;
    /** Something is chained to the promise, or it is awaited in an expression. */
    usedAsPromise: boolean;
    /** What the transport has to go on calling. */
    hooks?: TransportHooks;
    /** Why the entry has to stay on 2025-era connections. */
    blocked?: string;
}

/** What user code hung on a transport. */
export interface TransportHooks {
    onerror: boolean;
    /** Start of the line of the statement that connects it, and of the line behind that. */
    onclose?: { before: number; after: number; indent: string };
}

/** `server.connect(transport)` that is no entry over stdio. */
export interface HttpEntryFact {
    file: string;
    /** Offset of the call. */
    connect: number;
    /** How 2026-07-28 is served in front of it. */
    serve?: ServedEntry;
    /** Why it stays on 2025-era connections. */
    left?: string;
}

export interface ServedEntry {
    /** Requests of Node (`req, res`), or of the web (`Request`). */
    transport: 'node' | 'web';
    /** A function that makes a server: `() => createServer()`. */
    factory: string;
    /** What the route hands to `handleRequest`: `req`, `res`, `req.body`. */
    request: string[];
    /** What lets both eras read the body of a request. */
    insertions: { at: number; text: string }[];
    /** Start of the line above which the handler is made. */
    declareAt: number;
    declareIndent: string;
    /** Start of the line of the first statement that serves a 2025-era request. */
    branchAt: number;
    branchIndent: string;
    /** The framework has to be told that it must not answer. */
    hijacks: boolean;
}

export interface ImportedName {
    /** Name in the module. */
    name: string;
    local: string;
    module: string;
    /** `import type { … }`. */
    typeOnly: boolean;
    /** The specifier in its list. */
    item: Span;
    /** The whole declaration, to be removed when every one of its names goes. */
    declaration: Span;
    /** Offsets of all uses other than the import itself. */
    uses: number[];
}

/** A declaration that only gave a push method another name, and has no use when its calls are rewritten. */
export interface AliasFact {
    file: string;
    statement: Span;
}

/** What is needed to add and remove imports in a file. */
export interface ModuleFact {
    file: string;
    language: 'ts' | 'js';
    system: 'esm' | 'cjs';
    imports: ImportedName[];
    /** Offset after the last import (or `require`) declaration's line, or at the top behind shebang and directives. */
    importPosition: number;
    eol: '\n' | '\r\n';
    quote: "'" | '"';
    semicolon: boolean;
    /** Extension that relative imports use: `.js`, `.ts`, or none. */
    relativeExtension: string;
    /** Names that stand for a value or type somewhere in the file, and may not be used for something new. */
    boundNames: string[];
}

export interface Facts {
    sites: SiteFact[];
    onces: OnceFact[];
    guards: GuardFact[];
    functions: FunctionFact[];
    handlers: HandlerFact[];
    aliases: AliasFact[];
    /** Statements that only announce that a page is done. */
    completions: AliasFact[];
    servers: ServerFact[];
    entries: EntryFact[];
    httpEntries: HttpEntryFact[];
    modules: ModuleFact[];
}
