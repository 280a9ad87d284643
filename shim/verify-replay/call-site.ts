import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A line, from 1, and a column, as in stack traces: of the source, where source maps are enabled. */
export interface Place {
    /** Relative to the working folder if it is in it, with `/` between folders. */
    readonly file: string;
    readonly line: number;
    readonly column: number;
}

/** Where a call came from. */
export interface CallSite {
    /** The server's own lines on the stack, innermost first: the one that made the call, and the ones that led to it. */
    readonly places: readonly [Place, ...Place[]];
    /** The package whose code made the call, if it was not the server itself. */
    readonly via?: string | undefined;
}

interface Frame {
    readonly path: string;
    readonly line: number;
    readonly column: number;
    readonly owner: Owner;
}

type Owner =
    | { readonly kind: 'node' | 'runtime' | 'server' }
    /** What `transport` packages do is the protocol's business, and no effect of the handler. */
    | { readonly kind: 'transport' | 'package'; readonly name: string };

/** Deep enough for a driver with its pool between the call and the handler. */
const STACK_DEPTH = 60;

/** Both copies of the runtime, as they lie beside this folder in the package. */
const RUNTIME_FOLDERS = ['../', '../../cjs/shim/'].map(folder => fileURLToPath(new URL(folder, import.meta.url)));
/** The handler and the functions between it and the call; what is further out is the same for all calls. */
const MAX_PLACES = 4;
const RUNTIME_PACKAGE = 'mcp-mrtr';
const HOME = homeOf(process.argv[1]);
const TRANSPORT_PACKAGE = /^@modelcontextprotocol\/(?!client$|sdk$)/;

/**
 * The line of the server that is behind the present call.
 *
 * @param below the function whose callers are looked at.
 * @returns `undefined` if the call is not the server's: Node went on with something that was seen when it began, a
 * module is loaded, or it is the runtime or the SDK at work.
 */
export function callSite(below: object): CallSite | undefined {
    const frames = framesAbove(below);
    const caller = frames.find(({ owner }) => owner.kind !== 'node');
    if (caller === undefined || caller.owner.kind === 'runtime' || caller.owner.kind === 'transport') return undefined;
    if (frames.some(({ path }) => path.startsWith('node:internal/modules/'))) return undefined;
    const [first = caller, ...others] = ownFrames(frames);
    return {
        places: [placeOf(first), ...others.slice(0, MAX_PLACES - 1).map(placeOf)],
        via: caller.owner.kind === 'package' ? caller.owner.name : undefined
    };
}

/**
 * The server's own. A published server lies in a package itself, and so does what a driver does when it comes to it:
 * then the package furthest out has to stand for the server.
 */
function ownFrames(frames: readonly Frame[]): Frame[] {
    const own = frames.filter(({ owner }) => owner.kind === 'server');
    const home = frames.findLast(({ owner }) => owner.kind === 'package')?.owner;
    if (own.length > 0 || home?.kind !== 'package') return own;
    return frames.filter(({ owner }) => owner.kind === 'package' && owner.name === home.name);
}

/** `src/server.ts:12:9`. */
export function placeText({ file, line, column }: Place): string {
    return `${file}:${line}:${column}`;
}

/** The same for calls that were made in the same way. */
export function siteIdentity({ places }: CallSite): string {
    return places.map(placeText).join(' ');
}

function framesAbove(below: object): Frame[] {
    return stackText(below)
        .split('\n')
        .map(parseFrame)
        .filter(frame => frame !== undefined);
}

/** The text of the stack and not its structure: texts are what Node and loaders translate with source maps. */
function stackText(below: object): string {
    const { stackTraceLimit } = Error;
    const prepare: unknown = Reflect.get(Error, 'prepareStackTrace');
    Error.stackTraceLimit = STACK_DEPTH;
    try {
        const stack = capturedStack(below);
        if (typeof stack === 'string') return stack;
        // Someone looks at stacks as structures at present.
        Reflect.set(Error, 'prepareStackTrace', undefined);
        return String(capturedStack(below));
    } finally {
        Error.stackTraceLimit = stackTraceLimit;
        if (Reflect.get(Error, 'prepareStackTrace') !== prepare) Reflect.set(Error, 'prepareStackTrace', prepare);
    }
}

function capturedStack(below: object): unknown {
    const holder: { stack?: unknown } = {};
    Error.captureStackTrace(holder, below as (...args: unknown[]) => unknown);
    return holder.stack;
}

/** Of `    at name (place:line:column)` or `    at place:line:column`. */
function parseFrame(text: string): Frame | undefined {
    const [, entry] = /^\s+at (?:async )?(.+)$/.exec(text) ?? [];
    if (entry === undefined) return undefined;
    const place = entry.endsWith(')') ? entry.slice(entry.indexOf(' (') + 2, -1) : entry;
    const [, url, line, column] = /^(.+):(\d+):(\d+)$/.exec(place) ?? [];
    if (url === undefined || url.startsWith('<')) return undefined;
    const path = url.startsWith('file:') ? fileURLToPath(url) : url;
    return { path, line: Number(line), column: Number(column), owner: ownerOf(path) };
}

function ownerOf(path: string): Owner {
    if (path.startsWith('node:')) return { kind: 'node' };
    if (RUNTIME_FOLDERS.some(folder => path.startsWith(folder))) return { kind: 'runtime' };
    const packageName = packageOf(path);
    if (packageName === RUNTIME_PACKAGE) return { kind: 'runtime' };
    if (packageName === undefined || packageName === HOME) return { kind: 'server' };
    return { kind: TRANSPORT_PACKAGE.test(packageName) ? 'transport' : 'package', name: packageName };
}

/** Of which package a file is a part, by the folder that it is installed in. */
function packageOf(path: string): string | undefined {
    const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path) ?? [];
    return name?.replace('\\', '/');
}

/** A published server is itself a package: that of the script which was started. */
function homeOf(script: string | undefined): string | undefined {
    try {
        return script === undefined ? undefined : packageOf(realpathSync(script));
    } catch {
        return undefined;
    }
}

function placeOf({ path, line, column }: Frame): Place {
    const inside = relative(process.cwd(), path);
    return { file: (inside.startsWith('..') ? path : inside).split(sep).join('/'), line, column };
}
