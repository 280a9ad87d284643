import { Node } from 'ts-morph';
import { mayPrecede } from '../before.js';
import type { Reach, Reached } from '../reach.js';
import { shareRun } from '../subjects.js';
import { contains, outermost } from '../syntax.js';
import type { Ask } from './asks.js';
import { observe } from './observation.js';
import type { Observation } from './observation.js';

/** Shims for 2025-era clients give up after this many rounds, the SDK's client after two more. */
const MOST_ROUNDS = 8;

/** Handlers with more asks in a row than clients go along with. */
export function tooManyAsks(asks: readonly Ask[], reach: Reach): Observation[] {
    const waiting = asks.filter(({ style }) => style !== 'result');
    const handlers = new Set(
        waiting.flatMap(({ node }) => {
            const provider = reach.provider(node);
            return typeof provider === 'string' ? [] : reach.handlersOf(provider);
        })
    );
    return [...handlers].flatMap(handler => {
        const longest = longestChain(handler, waiting, reach, new Set());
        const [registration] = handler.registrations;
        if (longest <= MOST_ROUNDS || registration === undefined) return [];
        return [
            observe('too-many-asks', 'rounds', registration.call, {
                handler: registration.label,
                count: String(longest)
            })
        ];
    });
}

/** The most asks that may follow one another in a run of a function, loops counted once. */
function longestChain(reached: Reached, asks: readonly Ask[], reach: Reach, within: Set<Reached>): number {
    if (within.has(reached)) return 0;
    const inside = new Set([...within, reached]);
    const entries: { node: Node; weight: number }[] = [];
    for (const { node } of asks) if (reach.provider(node) === reached) entries.push({ node, weight: 1 });
    for (const callee of reach.functions.values()) {
        for (const { call, caller } of callee.calls) {
            if (caller === reached) entries.push({ node: call, weight: longestChain(callee, asks, reach, inside) });
        }
    }
    if (entries.reduce((sum, { weight }) => sum + weight, 0) <= MOST_ROUNDS)
        return Math.max(
            0,
            entries.reduce((sum, { weight }) => sum + weight, 0)
        );
    entries.sort((a, b) => a.node.getStart() - b.node.getStart());
    const longest: number[] = [];
    for (const [index, { node, weight }] of entries.entries()) {
        const before = entries
            .slice(0, index)
            .map((earlier, at) => (mayPrecede(earlier.node, node, reached.fn) ? (longest[at] ?? 0) : 0));
        longest.push(weight + Math.max(0, ...before));
    }
    return Math.max(0, ...longest);
}

/** Two questions of one run under one key. */
export function duplicateKeys(asks: readonly Ask[], reach: Reach): Observation[] {
    const keyed = asks.filter(({ key }) => key !== undefined);
    return keyed.flatMap((ask, index) => {
        const first = keyed
            .slice(0, index)
            .find(other => other.key === ask.key && asksElse(other, ask) && sameRun(other, ask, reach));
        if (first === undefined) return [];
        return [
            observe(
                'duplicate-key',
                'twice',
                ask.node,
                { key: ask.key ?? '', api: ask.api },
                { related: [{ node: first.node, text: 'the other question' }] }
            )
        ];
    });
}

const subject = ({ node }: Ask, reach: Reach) => ({ id: '', node, provider: reach.provider(node) });

const sameRun = (one: Ask, other: Ask, reach: Reach): boolean =>
    shareRun(reach, subject(one, reach), subject(other, reach));

/** The same question under the same key is asked again, and means it. */
const asksElse = (one: Ask, other: Ask): boolean => requestText(one) !== requestText(other);

const requestText = ({ node }: Ask): string =>
    Node.isCallExpression(node) ? (node.getArguments()[1]?.getText().replace(/\s+/g, ' ') ?? '') : '';

/** Questions that follow each other directly, of which the second does not need the first answer. */
export function separateRounds(asks: readonly Ask[]): Observation[] {
    const statements = new Map(
        asks
            .filter(({ style }) => style !== 'result')
            .flatMap(ask => {
                const statement = declarationOf(ask);
                return statement === undefined ? [] : [[statement, ask] as const];
            })
    );
    return [...statements].flatMap(([statement, ask]) => {
        const previous = statement.getPreviousSibling(one => Node.isStatement(one));
        const first = previous === undefined ? undefined : statements.get(previous);
        if (previous === undefined || first === undefined || !Node.isVariableStatement(previous)) return [];
        const names = previous.getDeclarations().flatMap(
            one =>
                one
                    .getNameNode()
                    .getText()
                    .match(/[\w$]+/g) ?? []
        );
        const needs = names.some(name =>
            new RegExp(`(?<![\\w.$])${name.replace(/\$/g, '\\$')}(?![\\w$])`).test(statement.getText())
        );
        return needs
            ? []
            : [
                  observe(
                      'separate-rounds',
                      'together',
                      ask.node,
                      { api: ask.api },
                      { related: [{ node: first.node, text: 'the question before it' }] }
                  )
              ];
    });
}

/** The statement `const answer = await ask(…)`, where that is all it does. */
function declarationOf({ node }: Ask): Node | undefined {
    const awaited = outermost(node).getParent();
    if (!Node.isAwaitExpression(awaited)) return undefined;
    const declaration = outermost(awaited).getParent();
    if (!Node.isVariableDeclaration(declaration)) return undefined;
    const statement = declaration.getVariableStatement();
    return statement?.getDeclarations().length === 1 && contains(statement, node) ? statement : undefined;
}
