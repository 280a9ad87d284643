import { Node } from 'ts-morph';
import { surroundings } from '../before.js';
import { EffectScan } from '../effects.js';
import type { Effect } from '../effects.js';
import { frameOf } from '../frames.js';
import { functionsGivenFor } from '../hazards.js';
import type { Reach, Reached } from '../reach.js';
import { startsBesideOthers } from '../settling.js';
import { contains, isFunctionNode, outermost, unwrap } from '../syntax.js';
import type { FunctionNode } from '../syntax.js';
import type { Ask } from './asks.js';
import { functionsAbove, mayBeCarried } from './carriers.js';
import { deedOf } from './deeds.js';
import { latches } from './latches.js';
import { limits } from './limits.js';
import { observe } from './observation.js';
import type { Observation } from './observation.js';
import { runsInOneRound } from './roundGuards.js';
import { isOnceCall, suspensionOf } from './runtimeAsks.js';
import type { Suspension } from './runtimeAsks.js';
import { swallowed } from './swallowed.js';
import { volatileUse } from './volatileValues.js';

/** A stretch of the way from a handler down to an ask: the ask, or the call that leads to it, in the function around. */
interface Step {
    node: Node;
    frame: FunctionNode;
}

/**
 * What would be noticed when a handler runs again from the top, by the same search that the migration decides with:
 * what stands before the ask and around it, in every function from the handler down.
 */
export class Reentry {
    private readonly effects: EffectScan;

    constructor(
        private readonly reach: Reach,
        asks: readonly Ask[]
    ) {
        const nodes = new Set<Node>(asks.map(({ node }) => node));
        const leading = new Set<Node>();
        for (const { node } of asks) {
            const provider = reach.provider(node);
            if (typeof provider !== 'string') for (const { fn } of functionsAbove(provider)) leading.add(fn);
        }
        this.effects = new EffectScan({
            isAsk: call => nodes.has(call),
            leadsToAsk: fn => leading.has(fn),
            isHandler: reach.isHandler,
            functionsGivenFor: parameter => functionsGivenFor(parameter, reach),
            runsOnce: isOnceCall
        });
    }

    /** Observations about one ask, those about the ways to it included. */
    of(ask: Ask): Observation[] {
        const suspension = this.suspension(ask.node);
        if (suspension === undefined) return [];
        const steps = this.steps(ask.node);
        if (mayBeCarried(ask, this.reach)) return steps.flatMap(step => this.atStep(step, ask, suspension));
        return steps.slice(0, 1).flatMap(({ frame }) => swallowed(ask, frame, suspension));
    }

    /** How the handlers above a node wait; undefined where they never run again. */
    private suspension(node: Node): Suspension | undefined {
        const provider = this.reach.provider(node);
        const registrations =
            typeof provider === 'string'
                ? []
                : this.reach.handlersOf(provider).flatMap(handler => handler.registrations);
        if (registrations.length === 0) return { mode: 'replay', unwinds: false, settles: false };
        return registrations
            .filter(({ interruptible }) => interruptible)
            .map(({ callback }) => suspensionOf(callback))
            .find(({ mode }) => mode === 'replay');
    }

    /** The ask in its function, and each call that leads to it in the function around that. */
    private steps(node: Node): Step[] {
        const frame = frameOf(node, this.reach.isHandler);
        if (frame.kind === 'module' || frame.kind === 'detached') return [];
        const provider = this.reach.provider(node);
        const above = typeof provider === 'string' ? [] : functionsAbove(provider);
        return [
            { node, frame: frame.fn },
            ...above.flatMap(({ calls }) =>
                calls
                    .filter(({ caller }) => this.reach.handlersOf(caller).length > 0 && runsAgain(caller))
                    .map(({ call, caller }) => ({ node: call, frame: caller.fn }))
            )
        ];
    }

    private atStep(step: Step, ask: Ask, suspension: Suspension): Observation[] {
        const { node, frame } = step;
        const around = surroundings(node, frame);
        const given = Node.isCallExpression(node)
            ? node.getArguments().filter(one => !isFunctionNode(unwrap(one)))
            : [];
        const effects = [...around.before, ...given].flatMap(piece => this.effects.of(piece));
        const related = wayTo(node, ask);
        const found = effects.flatMap(effect => this.before(effect, step, ask));
        found.push(...this.beside(node, frame, ask), ...latches(node, frame, effects, related));
        const cleanup = around.finallyAround;
        if (
            cleanup !== undefined &&
            this.effects.of(cleanup).some(({ kind }) => kind === 'effect') &&
            ask.style !== 'result'
        ) {
            found.push(
                observe(
                    'ask-holding-lock',
                    'finally',
                    node,
                    { api: ask.api, line: lineOf(cleanup) },
                    { related: [{ node: cleanup, text: 'the finally clause' }] }
                )
            );
        }
        if (ask.style === 'result') return found;
        found.push(...limits(node, frame, ask));
        if (node === ask.node) found.push(...this.itself(ask, frame, around.loop, suspension));
        return found;
    }

    private before(effect: Effect, { node, frame }: Step, ask: Ask): Observation[] {
        const deed = deedOf(effect);
        if (deed === undefined || runsInOneRound(effect.node, frame) || contains(effect.node, node)) return [];
        const related = [...wayTo(node, ask), ...originOf(effect)];
        const what = sentence(effect);
        switch (deed) {
            case 'write':
                return [observe('effect-before-ask', 'before', effect.node, { what, api: ask.api }, { related })];
            case 'state':
                return [observe('state-before-ask', 'before', effect.node, { what, api: ask.api }, { related })];
            case 'timer':
                return ask.style === 'result'
                    ? []
                    : [observe('timer-around-ask', 'timer', effect.node, { what, api: ask.api }, { related })];
            case 'volatile':
                return ask.style === 'result' ? [] : volatileUse(effect, node, frame, ask, related);
        }
    }

    /** What runs side by side with the ask: `Promise.all([ask(), write()])`. */
    private beside(node: Node, frame: FunctionNode, ask: Ask): Observation[] {
        const element = elementOf(node, frame);
        const list = element?.getParent();
        if (element === undefined || !Node.isArrayLiteralExpression(list) || ask.style === 'result') return [];
        const later = list.getElements().slice(list.getElements().findIndex(one => one === element) + 1);
        return later
            .flatMap(one => this.effects.of(one))
            .filter(effect => deedOf(effect) === 'write')
            .map(effect =>
                observe(
                    'effect-beside-ask',
                    'beside',
                    effect.node,
                    { what: sentence(effect), api: ask.api },
                    { related: [{ node: ask.node, text: `${ask.api} asks here` }, ...originOf(effect)] }
                )
            );
    }

    /** About the ask alone. */
    private itself(ask: Ask, frame: FunctionNode, loop: Node | undefined, suspension: Suspension): Observation[] {
        const { node, api, key } = ask;
        const found: Observation[] = [];
        const provider = this.reach.provider(node);
        const parallel = typeof provider !== 'string' && startsBesideOthers(node, provider);
        if (key !== undefined && parallel && !suspension.settles) {
            found.push(observe('unstable-key', 'parallel', node, { api, key }));
        } else if (loop !== undefined && !parallel && !isInAll(loop) && !isForOneTurn(node, loop)) {
            found.push(observe('ask-in-loop', 'loop', node, { api }, { related: [{ node: loop, text: 'the loop' }] }));
        }
        found.push(...swallowed(ask, frame, suspension));
        return found;
    }
}

const runsAgain = ({ registrations }: Reached): boolean =>
    registrations.length === 0 ||
    registrations.some(({ interruptible, callback }) => interruptible && suspensionOf(callback).mode === 'replay');

const sentence = ({ what }: Effect): string =>
    what.replace(/, by its name$/, '').replace(/\(…\) → .* is changed, /, '(…) changes something, ');

/** The call that leads to an ask, where it is not the ask itself, and the ask. */
const wayTo = (node: Node, ask: Ask): { node: Node; text: string }[] => [
    ...(node === ask.node ? [] : [{ node, text: 'this call leads to it' }]),
    { node: ask.node, text: `${ask.api} asks here` }
];

const originOf = ({ node, origin }: Effect): Observation['related'] =>
    origin === undefined || origin === node ? [] : [{ node: origin, text: 'it happens here' }];

const lineOf = (node: Node): string => String(node.getStartLineNumber());

/** The element of a `Promise.all([…])` that an ask is, or is part of. */
function elementOf(node: Node, frame: FunctionNode): Node | undefined {
    let child = node;
    for (let at = node.getParent(); at !== undefined && child !== frame; at = at.getParent()) {
        const call = Node.isArrayLiteralExpression(at) ? outermost(at).getParent() : undefined;
        if (Node.isCallExpression(call) && /^Promise\.all(?:Settled)?$/.test(call.getExpression().getText()))
            return child;
        if (Node.isStatement(at)) return undefined;
        child = at;
    }
    return undefined;
}

/** `if (step === 2) …` around an ask in `for (let step = 0; …)`. */
function isForOneTurn(node: Node, loop: Node): boolean {
    const list = Node.isForStatement(loop) ? loop.getInitializer() : undefined;
    const names = Node.isVariableDeclarationList(list) ? list.getDeclarations().map(one => one.getName()) : [];
    return node
        .getAncestors()
        .filter(one => Node.isIfStatement(one) && contains(loop, one))
        .some(one =>
            names.some(
                name =>
                    Node.isIfStatement(one) &&
                    contains(one.getThenStatement(), node) &&
                    new RegExp(`(?<![\\w.$])${name}\\s*===?[^|]*$`).test(one.getExpression().getText())
            )
        );
}

const isInAll = (loop: Node): boolean => {
    const parent = loop.getParent();
    return Node.isCallExpression(parent) && parent.getExpression().getText().startsWith('Promise.');
};
