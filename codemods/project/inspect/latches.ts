import { Node } from 'ts-morph';
import type { Effect } from '../effects.js';
import { contains, enclosingFunction } from '../syntax.js';
import type { FunctionNode } from '../syntax.js';
import { observe } from './observation.js';
import type { Observation } from './observation.js';

/** A latch: what says "asked already" is set before the ask, so that the next round takes the other way. */
export function latches(
    node: Node,
    frame: FunctionNode,
    effects: readonly Effect[],
    related: Observation['related']
): Observation[] {
    return effects.flatMap(effect => {
        const change = effect.origin === undefined ? effect.node : undefined;
        if (
            !Node.isBinaryExpression(change) ||
            change.getOperatorToken().getText() !== '=' ||
            !/^(?:true|false)$/.test(change.getRight().getText())
        )
            return [];
        if (enclosingFunction(change) !== frame) return [];
        const name = change.getLeft().getText();
        const guard = guardReading(name, node, change);
        return guard === undefined
            ? []
            : [
                  observe(
                      'once-latch',
                      'latch',
                      change,
                      { name },
                      { related: [...related, { node: guard, text: 'it is looked at here' }] }
                  )
              ];
    });
}

/** The `if` around both the change and the ask, or above them, that looks at a state by its name. */
function guardReading(name: string, ask: Node, change: Node): Node | undefined {
    const reads = (condition: Node): boolean =>
        new RegExp(`(?<![\\w.])${name.replace(/[.$]/g, '\\$&')}(?!\\w)`).test(condition.getText());
    const around = ask
        .getAncestors()
        .filter(Node.isIfStatement)
        .find(one => contains(one.getThenStatement(), change) && reads(one.getExpression()));
    if (around !== undefined) return around.getExpression();
    const block = change.getFirstAncestor(Node.isBlock);
    const above = block
        ?.getStatements()
        .filter(Node.isIfStatement)
        .find(
            one =>
                one.getEnd() <= change.getStart() &&
                reads(one.getExpression()) &&
                /\breturn\b|\bthrow\b/.test(one.getThenStatement().getText())
        );
    return above?.getExpression();
}
