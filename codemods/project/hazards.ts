import { Node } from 'ts-morph';
import type { CallExpression } from 'ts-morph';
import type { Hazard } from '../facts/facts.js';
import { surroundings } from './before.js';
import { EffectScan } from './effects.js';
import type { Effect } from './effects.js';
import type { Reach, Reached } from './reach.js';
import { calleeName, isFunctionNode, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';

/**
 * What stands between "the handler runs again from the top" and "nobody notices": effects, timers and `finally` on
 * every way from a handler that may be interrupted down to the ask.
 */
export class Hazards {
    private readonly effects: EffectScan;
    private readonly above = new Map<Reached, Hazard[]>();

    constructor(
        private readonly reach: Reach,
        isAsk: (call: Node) => boolean,
        private readonly place: (node: Node) => string
    ) {
        this.effects = new EffectScan({
            isAsk,
            isHandler: reach.isHandler,
            functionsGivenFor: parameter => functionsGivenFor(parameter, reach)
        });
    }

    /** Hazards of asking at `node`, which lives on the context of `provider`. */
    of(node: Node, provider: Reached): Hazard[] {
        if (neverAgain(provider)) return [];
        return unique([...this.inside(node, provider.fn), ...this.onTheWayTo(provider)]);
    }

    private onTheWayTo(reached: Reached): Hazard[] {
        const known = this.above.get(reached);
        if (known !== undefined) return known;
        this.above.set(reached, []);
        const hazards = reached.calls
            .filter(({ caller }) => !neverAgain(caller))
            .flatMap(({ call, caller }) => [...this.inside(call, caller.fn), ...this.onTheWayTo(caller)]);
        this.above.set(reached, hazards);
        return hazards;
    }

    private inside(node: Node, frame: FunctionNode): Hazard[] {
        const around = surroundings(node, frame);
        // What it is given is evaluated before it, too; a function that it is given runs when it is called.
        const given = Node.isCallExpression(node)
            ? node.getArguments().filter(one => !isFunctionNode(unwrap(one)))
            : [];
        const hazards = [...around.before, ...given]
            .flatMap(piece => this.effects.of(piece))
            .map(effect => this.hazard(effect, node));
        if (around.finallyAround !== undefined) {
            hazards.push({
                level: 'manual',
                cure: 'park',
                message: `a finally (${this.place(around.finallyAround)}) stands around it; what it releases would be held while the person thinks`
            });
        }
        if (around.loop !== undefined && !isConcurrent(around.loop)) {
            hazards.push({
                level: 'review',
                message: `it is asked in a loop (${this.place(around.loop)}), a round for each; clients give up after 10 rounds`
            });
        }
        const race = raceAround(node, frame);
        if (race !== undefined) {
            hazards.push({
                level: 'manual',
                cure: 'park',
                message: `it is raced in ${this.place(race)}, and would be raced anew in every round`
            });
        }
        return hazards;
    }

    private hazard(effect: Effect, node: Node): Hazard {
        const where = `${effect.what} (${this.place(effect.node)})`;
        switch (effect.kind) {
            case 'effect':
                return { level: 'manual', cure: 'park', message: `${where} before it, and would again in every round` };
            case 'timer':
                return {
                    level: 'manual',
                    cure: 'park',
                    message: `${where} before it, and would start another in every round`
                };
            case 'read':
                return { level: 'review', message: `${where} before it, and does again in every round` };
            case 'volatile':
                return feeds(effect.node, node)
                    ? {
                          level: 'manual',
                          cure: 'park',
                          message: `${where} and goes into the question, which must be the same in every round`
                      }
                    : { level: 'review', message: `${where} before it` };
            case 'notification':
                return { level: 'review', message: `${where} before it, and may again in every round` };
        }
    }
}

/** 2025-era-only methods such as resources/subscribe: the request is pushed there, and the handler runs once. */
const neverAgain = (reached: Reached): boolean =>
    reached.registrations.length > 0 && reached.registrations.every(({ interruptible }) => !interruptible);

function functionsGivenFor(parameter: Node, reach: Reach): FunctionNode[] | undefined {
    const fn = parameter.getParent();
    if (!isFunctionNode(fn)) return undefined;
    const reached = reach.functions.get(fn);
    if (reached === undefined || reached.problems.length > 0 || reached.calls.length === 0) return undefined;
    const index = fn.getParameters().findIndex(one => one === parameter);
    const given: FunctionNode[] = [];
    for (const { call } of reached.calls) {
        const argument = call.getArguments()[index];
        if (argument === undefined) continue;
        const value = unwrap(argument);
        if (!isFunctionNode(value)) return undefined;
        given.push(value);
    }
    return given;
}

/** `Promise.all(items.map(async item => …))`: the questions go out together. */
function isConcurrent(loop: Node): boolean {
    const parent = loop.getParent();
    return Node.isCallExpression(parent) && parent.getExpression().getText().startsWith('Promise.');
}

/** `Promise.race([…ask…, timer])` inside the frame. */
function raceAround(node: Node, frame: FunctionNode): CallExpression | undefined {
    for (let at = node.getParent(); at !== undefined && at !== frame; at = at.getParent()) {
        if (Node.isCallExpression(at) && calleeName(at) === 'race' && at.getExpression().getText() === 'Promise.race')
            return at;
    }
    return undefined;
}

/** Whether a volatile value is written in the ask, or held by a variable that is used in it. */
function feeds(volatile: Node, ask: Node): boolean {
    if (contains(ask, volatile)) return true;
    for (let at = volatile.getParent(); at !== undefined && !Node.isStatement(at); at = at.getParent()) {
        if (!Node.isVariableDeclaration(at)) continue;
        const name = at.getNameNode();
        if (!Node.isIdentifier(name)) return true;
        return name.findReferencesAsNodes().some(use => contains(ask, use));
    }
    return false;
}

const contains = (outer: Node, inner: Node): boolean =>
    outer.getSourceFile() === inner.getSourceFile() &&
    outer.getPos() <= inner.getPos() &&
    outer.getEnd() >= inner.getEnd();

function unique(hazards: Hazard[]): Hazard[] {
    return [...new Map(hazards.map(hazard => [`${hazard.level} ${hazard.message}`, hazard])).values()];
}
