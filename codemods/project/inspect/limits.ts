import { Node } from 'ts-morph';
import { shortText } from '../outsideCalls.js';
import type { FunctionNode } from '../syntax.js';
import { wrappersAround } from '../wrappers.js';
import type { Ask } from './asks.js';
import { observe } from './observation.js';
import type { Observation } from './observation.js';

const LOCKING = /lock|mutex|semaphore|exclusive|transaction|critical|synchroni[sz]ed/i;

/** What gives up waiting for the ask, and what is held while it waits. */
export function limits(node: Node, frame: FunctionNode, ask: Ask): Observation[] {
    const found: Observation[] = [];
    for (let at = node.getParent(); at !== undefined && at !== frame; at = at.getParent()) {
        if (!Node.isCallExpression(at) || !/^Promise\.(?:race|any)$/.test(at.getExpression().getText())) continue;
        found.push(
            observe('timer-around-ask', 'race', node, { api: ask.api }, { related: [{ node: at, text: 'the race' }] })
        );
    }
    for (const { call, problem } of wrappersAround(node, frame)) {
        const name = shortText(call.getExpression());
        const data = { api: ask.api, name };
        if (problem?.includes('gives up waiting') === true)
            found.push(
                observe('timer-around-ask', 'limit', node, data, { related: [{ node: call, text: `${name}(…)` }] })
            );
        else if (LOCKING.test(name.replace(/^.*\./, '')) || /(?:lock|mutex|semaphore)\w*\.\w+$/i.test(name))
            found.push(
                observe('ask-holding-lock', 'lock', node, data, { related: [{ node: call, text: `${name}(…)` }] })
            );
    }
    return found;
}
