/** What the check does not see. Part of every report: a clean one says no more than this leaves. */
export const LIMITS: readonly string[] = [
    'functions of Node that were taken before the check was installed, by an earlier --import or --require',
    'what leaves a pool of connections later than the call, on behalf of another one',
    'drivers in native code, node:sqlite, WebAssembly, HTTP/2, worker threads, and what child processes do',
    'intervals of node:timers/promises and AbortSignal.timeout',
    'timers, times and random values of packages, as those of delay, uuid and nanoid, until a question differs',
    'which code is that of a package, in a bundle without source maps',
    'state in memory: module variables, caches and closures that a handler changes, and events that it emits',
    'work that leaves the asynchronous context of its call, as queues without AsyncResource.bind do',
    'answers that no client has given in this run, and what handlers do on other branches',
    'calls on connections before 2026-07-28, whose handlers run once'
];
