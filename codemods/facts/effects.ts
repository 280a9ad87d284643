/**
 * What a call does to the world, by where its function comes from and what it is called. Used to decide whether code
 * in front of an ask may run again. Unknown things that are awaited count as effects; see `codemods/project/effects.ts`.
 */

/** Node modules whose functions only compute. */
export const PURE_MODULES: ReadonlySet<string> = new Set([
    'path',
    'url',
    'util',
    'os',
    'buffer',
    'querystring',
    'string_decoder',
    'punycode',
    'assert',
    'async_hooks',
    'console',
    'globals',
    'process'
]);

/** Packages whose functions only compute. */
export const PURE_PACKAGES: ReadonlySet<string> = new Set([
    'zod',
    'zod-to-json-schema',
    'lodash',
    'lodash-es',
    'ajv',
    'semver',
    'yaml',
    'minimatch',
    'picomatch',
    'chalk',
    'picocolors',
    'dayjs',
    'date-fns'
]);

/** Functions of `fs` that only look. */
export const READING_FS = /^(?:read|exists|stat|lstat|fstat|access|opendir|realpath|glob|statfs)/;

/** Names that say a function only looks. */
export const READING_NAME =
    /^(?:get|list|find|fetch|read|load|query|search|lookup|look|count|exists?|is|has|can|check|resolve|describe|show|view|inspect|parse|validate|compute|format|render|build|make|to|from|as|with|need|require|select|peek|head|supports?|stat|status|summari[sz]e|normali[sz]e|safe|try|detect|infer|extract|collect|gather|discover|estimate|plan|preview|diff|compare|filter|map|match|test|assert|ensure|wait|sleep|delay)(?![a-z])/;

/** Names that say a function changes something. */
export const WRITING_NAME =
    /^(?:write|append|delete|remove|rm|unlink|insert|update|upsert|create|save|send|post|put|patch|publish|emit|exec|execute|run|spawn|fork|kill|commit|mkdir|rename|copy|cp|move|mv|set|push|enqueue|charge|pay|refund|start|stop|restart|open|close|connect|disconnect|dispatch|notify|deploy|install|uninstall|apply|drop|truncate|clear|reset|revoke|grant|hold|reserve|release|book|cancel|approve|reject|archive|upload|mint|store|persist|record|register|mark|touch|increment|decrement|add)(?![a-z])/;

/** Names of functions that look at what they are given, and throw or do nothing. */
export const PASSES_OR_THROWS = /^(?:assert|validate|invariant|expect|check)(?![a-z])/;

/** Names that say a value is another one each time, and that something counts them. */
export const NEW_EACH_TIME =
    /^(?:next|random|unique|allocate|issue)[A-Z_]|^(?:gen|generate)_?\w*(?:Id|ID|Uuid|UUID|Ticket|Token|Nonce|Code)$/;

/** Methods that change the object they are called on. */
export const MUTATING_METHODS: ReadonlySet<string> = new Set([
    'push',
    'pop',
    'shift',
    'unshift',
    'splice',
    'sort',
    'reverse',
    'fill',
    'copyWithin',
    'set',
    'add',
    'delete',
    'clear',
    'append'
]);

/** Logging is no effect that matters: it may be seen twice. */
export const LOGGER_NAME = /^(?:console|log|logger|logging|debug|trace|tracer|span|winston|pino)$/i;
export const LOGGING_METHOD = /^(?:log|debug|info|warn|warning|error|trace|fatal|verbose|silly)$/;

/** Calls whose value is another one each time. */
export const VOLATILE =
    /^(?:Date\.now|Math\.random|(?:\w+\.)?(?:randomUUID|randomBytes|randomInt|getRandomValues)|nanoid|uuidv?\d?|v4)$/;

/** Clocks that count from the start of the process: what one process read says nothing in another. */
export const PROCESS_CLOCK = /^(?:performance\.now|process\.(?:hrtime(?:\.bigint)?|uptime|cpuUsage))$/;

/** Writes on another machine or to disk, by name. Unlike `connect`, they do not change the object they are called on. */
export const REMOTE_WRITE =
    /^(?:write|append|delete|remove|rm|unlink|insert|update|upsert|create|save|send|post|put|patch|publish|charge|pay|refund|deploy|upload|mint|store|persist|record|notify|approve|reject|cancel|book|hold|reserve|archive|revoke|grant|mkdir|rename|copy|exec|execute|run)(?![a-z])/;

/** Names of what `finally` gives back. */
export const RELEASING =
    /^(?:release|unlock|free|close|dispose|end|stop|clear\w*|cleanup|abort|unref|destroy|done|finish|leave|exit)(?![a-z])/;

/** Functions that run what they are given now and only watch it: tracing, retries, scopes. */
export const HARMLESS_WRAPPER =
    /^(?:span|startActiveSpan|startSpan|with(?:Active)?Span|trace\w*|with(?:Context|Scope|Trace|Tracing|Log\w*|Metrics|Telemetry|Error\w*)|runWith\w*|measure|timed?|profile|instrument|observe|pRetry|retry|withRetr(?:y|ies)|backOff|safe\w*|try\w*|wrap\w*)$/;

/** Functions that give up waiting for what they are given. `race` is a word of its own: not in `trace`, `graceful`, `brace`. */
export const TIME_LIMIT =
    /[Tt]ime_?(?:[Oo]ut|[Ll]imit)|[Dd]eadline|[Aa]bortable|(?<![A-Za-z])race(?![a-z])|Race(?![a-z])/;

/** SDK notifications: harmless to repeat, and suppressed in a replay when they go through the context. */
export const NOTIFYING_METHOD =
    /^(?:sendLoggingMessage|notification|notify|log|sendNotification|send\w+ListChanged|sendResourceUpdated|report\w*Progress|sendProgress)$/;
