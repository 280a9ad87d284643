import { Node } from 'ts-morph';
import type { CallExpression } from 'ts-morph';
import type { AmbientFact } from '../facts/facts.js';
import type { SiteKind } from '../report.js';
import type { Reach, Reached } from './reach.js';
import type { SiteForm } from './sites.js';
import type { Subject } from './subjects.js';
import { memberName, memberObject, unwrap } from './syntax.js';

/**
 * How an ask finds the request that it belongs to where no context can be handed to it: the handler that is running has
 * it. Undefined where the ask has no handler, but runs while modules load, in timers, routes or hooks.
 */
export function ambientOf(
    { node, provider }: Subject,
    reach: Reach,
    { form, kind }: { form: SiteForm; kind: SiteKind }
): AmbientFact | undefined {
    if (!Node.isCallExpression(node) || (form !== 'push' && form !== 'send')) return undefined;
    if (!mayRunInRequest({ node, provider }, reach)) return undefined;
    const outside = receiverOf(node);
    if (typeof provider === 'string') return { outside, known: false, alsoOutside: false };
    const alsoOutside = isCalledOutside(provider, new Set());
    // Roots that are fetched outside of requests as well are kept, and nothing tells on 2026-07-28 that they changed.
    if (kind === 'roots' && alsoOutside) return undefined;
    const handlers = reach.handlersOf(provider);
    if (handlers.length === 0 || !reach.isClosed(provider)) return { outside, known: false, alsoOutside };
    return { outside, handlers: handlers.map(({ id }) => id), known: true, alsoOutside };
}

/** Whether a request may lead to it, as far as the code shows. */
export function mayRunInRequest({ node, provider }: Pick<Subject, 'node' | 'provider'>, reach: Reach): boolean {
    if (typeof provider === 'string') return !reach.isDetached(node);
    if (reach.handlersOf(provider).length > 0 || !reach.isClosed(provider)) return true;
    // Nothing known leads to it. What has calls outside of requests has these only; else whoever imports it calls it.
    return !isCalledOutside(provider, new Set());
}

function isCalledOutside(reached: Reached, seen: Set<Reached>): boolean {
    if (seen.has(reached)) return false;
    seen.add(reached);
    return reached.strays.length > 0 || reached.calls.some(({ caller }) => isCalledOutside(caller, seen));
}

/** `server.server` of `server.server.elicitInput(…)`; a function of its own as the method that it is. */
function receiverOf(call: CallExpression): string {
    const callee = unwrap(call.getExpression());
    const object = memberObject(callee);
    if (object !== undefined) return object.getText();
    const name = callee.getText();
    const method = memberName(callee) ?? name;
    return method === name ? `{ ${name} }` : `{ ${method}: ${name} }`;
}
