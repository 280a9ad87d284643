import { Node } from 'ts-morph';
import type { CallExpression } from 'ts-morph';
import type { Hazard } from '../facts/facts.js';
import { mayPrecede, surroundings } from './before.js';
import { EffectScan } from './effects.js';
import type { Effect } from './effects.js';
import { shortText } from './outsideCalls.js';
import { pageIdOf } from './pageIds.js';
import { changeableReads } from './questionState.js';
import type { Reach, Reached } from './reach.js';
import { OnceUnits } from './once.js';
import { StateReads } from './stateReads.js';
import { wrappersAround } from './wrappers.js';
import { contains, isFunctionNode, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';
import { referencesTo } from './references.js';

/**
 * What stands between "the handler runs again from the top" and "nobody notices": effects, timers and `finally` on
 * every way from a handler that may be interrupted down to the ask.
 */
export class Hazards {
    private readonly effects: EffectScan;
    private readonly units: OnceUnits;
    private readonly stateReads = new StateReads();
    private readonly above = new Map<Reached, Hazard[]>();

    constructor(
        private readonly reach: Reach,
        isAsk: (call: Node) => boolean,
        leadsToAsk: (fn: FunctionNode) => boolean,
        private readonly place: (node: Node) => string
    ) {
        this.units = new OnceUnits(reach, isAsk);
        this.effects = new EffectScan({
            isAsk,
            leadsToAsk,
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

    /** @param skipped calls that run the ask itself. */
    private inside(node: Node, frame: FunctionNode, skipped: ReadonlySet<Node> = new Set()): Hazard[] {
        const around = surroundings(node, frame);
        // What it is given is evaluated before it, too; a function that it is given runs when it is called.
        const given = Node.isCallExpression(node)
            ? node.getArguments().filter(one => !isFunctionNode(unwrap(one)))
            : [];
        const pieces = [...around.before, ...given];
        const pageId = pageIdOf(node);
        const unsent = pageId === undefined ? [] : this.effects.of(pageId).map(effect => effect.node);
        const effects = new Set(
            pieces
                .flatMap(piece => this.effects.of(piece))
                .filter(effect => !skipped.has(effect.node) && !unsent.includes(effect.node))
        );
        const hazards = [...effects].map(effect => this.hazard(effect, node));
        hazards.push(...this.readsOfChanged([...effects], pieces, frame, hazards), ...this.unstable(given));
        if (around.finallyAround !== undefined && this.effects.of(around.finallyAround).length > 0) {
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
        hazards.push(...this.wrapped(node, frame));
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

    /** What the calls do that run the ask: a lock that is held, a time limit, a counter. */
    private wrapped(node: Node, frame: FunctionNode): Hazard[] {
        return wrappersAround(node, frame).flatMap(({ call, runs, problem }) => {
            const name = `${shortText(call.getExpression())}(…)`;
            const hazard = (message: string): Hazard => ({ level: 'manual', cure: 'park', message });
            const inner = runs.flatMap(run =>
                this.inside(run.call, run.fn, new Set(runs.map(one => one.call))).filter(
                    ({ level, cure }) => level === 'manual' || cure === 'park'
                )
            );
            const found = inner.map(({ message }) => hazard(`in ${name}: ${message}`));
            return problem === undefined ? found : [hazard(`${problem} (${this.place(call)})`), ...found];
        });
    }

    /**
     * What is read before it is changed reads the change in the next round, though the change itself is made once: then
     * what was read has to be kept, too.
     */
    private readsOfChanged(
        effects: readonly Effect[],
        pieces: readonly Node[],
        frame: FunctionNode,
        hazards: readonly Hazard[]
    ): Hazard[] {
        const kept = hazards.flatMap(({ once }) => once ?? []);
        return effects.flatMap(({ state, node: change }) => {
            if (state === undefined) return [];
            const reads = pieces.flatMap(piece => this.stateReads.of(piece, state, change));
            const outside = reads.filter(
                read =>
                    !kept.some(
                        ({ file, span }) =>
                            file === read.getSourceFile().getFilePath() &&
                            span.start <= read.getStart() &&
                            read.getEnd() <= span.end
                    ) &&
                    (read === change || mayPrecede(read, change, frame))
            );
            return outside.map((read): Hazard => {
                const what = `${shortText(read)} (${this.place(read)}) is read before it, and changed by then in the next round`;
                return this.cured({ kind: 'read', node: read, what }, { level: 'manual', message: what });
            });
        });
    }

    /** Parts of a question that another call may change while the person thinks. */
    private unstable(given: readonly Node[]): Hazard[] {
        return changeableReads(given).map((read): Hazard => {
            const what = `${shortText(read)} (${this.place(read)}) goes into the question, and another call may change it before the next round`;
            return this.cured({ kind: 'volatile', node: read, what }, { level: 'manual', message: what });
        });
    }

    /** The hazard with what takes it away. */
    private cured(effect: Effect, hazard: Hazard): Hazard {
        const unit = this.units.around(effect);
        if (typeof unit !== 'string') return { ...hazard, cure: 'once', once: unit };
        return { ...hazard, cure: 'park', message: `${hazard.message} (no ctx.once: ${unit})` };
    }

    private hazard(effect: Effect, node: Node): Hazard {
        const bare = this.bareHazard(effect, node);
        if (effect.kind === 'timer') return bare;
        const hazard = this.cured(effect, bare);
        // A client that is told something twice loses nothing.
        if (effect.kind === 'notification' && hazard.cure === 'park') return bare;
        return hazard;
    }

    private bareHazard(effect: Effect, node: Node): Hazard {
        const where = `${effect.what} (${this.place(effect.node)})`;
        switch (effect.kind) {
            case 'effect':
                return { level: 'manual', message: `${where} before it, and would again in every round` };
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

/** The functions that all calls of a reached function give for one of its parameters; undefined when one is not known. */
export function functionsGivenFor(parameter: Node, reach: Reach): FunctionNode[] | undefined {
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
        if (Node.isCallExpression(at) && /^Promise\.(?:race|any)$/.test(at.getExpression().getText())) return at;
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
        return referencesTo(name).some(use => contains(ask, use));
    }
    return false;
}

function unique(hazards: Hazard[]): Hazard[] {
    return [...new Map(hazards.map(hazard => [`${hazard.level} ${hazard.message}`, hazard])).values()];
}
