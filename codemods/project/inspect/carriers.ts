import { Node } from 'ts-morph';
import { frameOf } from '../frames.js';
import { shortText } from '../outsideCalls.js';
import type { Reach, Reached } from '../reach.js';
import { enclosingFunction, isFunctionNode, memberName, outermost, unwrap } from '../syntax.js';
import type { Ask } from './asks.js';
import { observe } from './observation.js';
import type { Observation } from './observation.js';
import { waysTo } from './surface.js';

/** Methods that exist on 2025-era connections only; there an ask is pushed as it always was. */
const LEGACY_METHODS: ReadonlySet<string> = new Set([
    'resources/subscribe',
    'resources/unsubscribe',
    'logging/setLevel',
    'ping',
    'SubscribeRequestSchema',
    'UnsubscribeRequestSchema',
    'SetLevelRequestSchema',
    'PingRequestSchema'
]);

/** What keeps an ask from a request that could be answered with it. */
export function withoutCarrier(ask: Ask, reach: Reach): Observation[] {
    const { node, api } = ask;
    const direct = outside(node, reach);
    if (direct !== undefined) return [observe('ask-outside-request', 'direct', node, { api, how: direct })];
    const provider = reach.provider(node);
    if (typeof provider === 'string') return [];
    return [
        ...strayCalls(ask, provider, reach),
        ...unawaited(ask, provider, reach),
        ...closedMethods(ask, provider, reach)
    ];
}

/** How a place comes to run without a request; undefined where it may have one. */
function outside(node: Node, reach: Reach): string | undefined {
    const frame = frameOf(node, reach.isHandler);
    if (frame.kind === 'detached') return `in ${howOf(frame.how)}`;
    return frame.kind === 'module' && runsAtLoad(node) ? 'while its module is loaded' : undefined;
}

const howOf = (how: string): string =>
    how.startsWith('route ') || how.startsWith('on') ? how : `a callback of ${how}`;

const RUNS_AT_ONCE: ReadonlySet<string> = new Set([
    'then',
    'catch',
    'finally',
    'map',
    'forEach',
    'flatMap',
    'reduce',
    'filter'
]);

/** No function around it but such as run where they stand; what an unknown call does with a callback is not known. */
function runsAtLoad(node: Node): boolean {
    for (let fn = enclosingFunction(node); fn !== undefined; fn = enclosingFunction(fn)) {
        const parent = outermost(fn).getParent();
        if (!Node.isCallExpression(parent)) return false;
        if (unwrap(parent.getExpression()) === fn) continue;
        if (!RUNS_AT_ONCE.has(memberName(unwrap(parent.getExpression())) ?? '')) return false;
    }
    return true;
}

/** So many places at which one function is called are its users, and what is to be changed is at the ask. */
const MANY_CALLS = 4;

/** Calls outside of any request that lead to the ask. */
function strayCalls({ node, api }: Ask, provider: Reached, reach: Reach): Observation[] {
    return functionsAbove(provider).flatMap(({ name, strays }) => {
        const found = strays.flatMap(call => {
            const how = outside(call, reach);
            return how === undefined ? [] : [{ call, how }];
        });
        const [first] = found;
        if (first !== undefined && found.length >= MANY_CALLS) {
            const related = found.map(({ call }) => ({ node: call, text: `${name} is called` })).slice(0, 8);
            return [observe('ask-outside-request', 'through', node, { name, api, how: first.how }, { related })];
        }
        return found.map(({ call, how }) =>
            observe(
                'ask-outside-request',
                'through',
                call,
                { name, api, how },
                { related: [{ node, text: `${api} asks here` }] }
            )
        );
    });
}

/**
 * Whether a request may carry an ask, as far as is known: on some way up to a handler, or to callers that cannot be seen,
 * everybody waits for it. Where none does no round comes, and nothing runs again in one.
 */
export function mayBeCarried({ node }: Ask, reach: Reach): boolean {
    if (outside(node, reach) !== undefined || isDropped(node)) return false;
    const provider = reach.provider(node);
    if (typeof provider === 'string') return true;
    const seen = new Set<Reached>();
    const open = [provider];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (seen.has(next)) continue;
        seen.add(next);
        const { registrations, calls, strays } = next;
        if (registrations.length > 0 || calls.length + strays.length === 0) return true;
        if (strays.some(call => outside(call, reach) === undefined && !isDropped(call))) return true;
        open.push(...calls.filter(({ call }) => !isDropped(call)).map(({ caller }) => caller));
    }
    return false;
}

/** Nobody waits for the ask, or for a call that leads to it, so that the handler is done before the answer is there. */
function unawaited({ node, api, style }: Ask, provider: Reached, reach: Reach): Observation[] {
    if (style === 'result' || reach.handlersOf(provider).length === 0) return [];
    const found = isDropped(node) ? [observe('ask-after-return', 'direct', node, { api })] : [];
    for (const { name, calls } of functionsAbove(provider)) {
        for (const { call } of calls) {
            if (!isDropped(call)) continue;
            found.push(
                observe(
                    'ask-after-return',
                    'through',
                    call,
                    { name, api },
                    { related: [{ node, text: `${api} asks here` }] }
                )
            );
        }
    }
    return found;
}

/** A promise that ends as a statement: `ask();`, `void ask();`, `ask().catch(log);`. */
function isDropped(call: Node): boolean {
    if (call.getType().getSymbol()?.getName() !== 'Promise') return false;
    let at = outermost(call);
    for (let parent = at.getParent(); parent !== undefined; parent = at.getParent()) {
        if (Node.isExpressionStatement(parent)) return true;
        const chained =
            Node.isPropertyAccessExpression(parent) && ['then', 'catch', 'finally'].includes(parent.getName());
        const called = Node.isCallExpression(parent) && parent.getExpression() === at;
        if (!chained && !called && !Node.isVoidExpression(parent)) return false;
        at = outermost(parent);
    }
    return false;
}

/** Handlers of methods to which revision 2026-07-28 does not allow a question as the answer. */
function closedMethods({ node, api, style }: Ask, provider: Reached, reach: Reach): Observation[] {
    const registrations = reach.handlersOf(provider).flatMap(handler => handler.registrations);
    const closed = registrations.find(
        ({ interruptible, label }) => !interruptible && !(style === 'need' && LEGACY_METHODS.has(label))
    );
    if (closed === undefined) return [];
    return [
        observe('ask-in-closed-method', 'closed', node, { api, method: closed.label }, { related: waysTo(node, reach) })
    ];
}

/** A function and all that lead to it. */
export function functionsAbove(start: Reached): Reached[] {
    const seen = new Set<Reached>();
    const open = [start];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(...next.calls.map(({ caller }) => caller));
    }
    return [...seen];
}

/** An ask inside what `ctx.once` runs: it would be refused on both eras. */
export function insideOnce(ask: Ask, isOnce: (node: Node) => boolean): Observation[] {
    const around = ask.node.getFirstAncestor(isOnce);
    if (around === undefined) return [];
    const fn = enclosingFunction(ask.node);
    if (fn === undefined || !isFunctionNode(fn)) return [];
    return [observe('ask-inside-once', 'inside', ask.node, { api: ask.api, once: shortText(around) })];
}
