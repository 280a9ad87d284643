import { Node } from 'ts-morph';
import type { Effect } from '../effects.js';
import { calledFunction } from '../functionValues.js';
import { contains, enclosingFunction } from '../syntax.js';
import type { FunctionNode } from '../syntax.js';
import type { Ask } from './asks.js';
import { observe } from './observation.js';
import type { Observation } from './observation.js';

/** A value that is another one each time, where it makes the question or decides whether it is asked. */
export function volatileUse(
    { node: source, what }: Effect,
    ask: Node,
    frame: FunctionNode,
    { api, style, node }: Ask,
    related: Observation['related']
): Observation[] {
    if (!isFunctionFree(source, frame)) return [];
    const uses = usesOf(source);
    const inAsk = uses.filter(use => contains(ask, use) && reachesQuestion(use, ask, node));
    if (inAsk.some(use => !isOfPageId(use)))
        return [observe('volatile-question', 'question', source, { what, api }, { related })];
    if (inAsk.length > 0 && style === 'push') return [];
    const decides = uses.find(use => isConditionFor(use, ask));
    return decides === undefined || node !== ask
        ? []
        : [
              observe(
                  'volatile-question',
                  'branch',
                  source,
                  { what, api },
                  { related: [...related, { node: decides, text: 'it is decided here' }] }
              )
          ];
}

/** Given to a function that asks, a value is part of the question where that function puts it there. */
function reachesQuestion(use: Node, call: Node, ask: Node): boolean {
    if (call === ask) return true;
    const helper = Node.isCallExpression(call) ? calledFunction(call) : undefined;
    if (helper === undefined || !Node.isCallExpression(call) || !contains(helper, ask)) return false;
    const parameter = helper.getParameters()[call.getArguments().findIndex(one => contains(one, use))]?.getNameNode();
    return Node.isIdentifier(parameter) && parameter.findReferencesAsNodes().some(one => contains(ask, one));
}

/** The value itself, and the uses of the variable that holds it. */
function usesOf(source: Node): Node[] {
    for (let at: Node | undefined = source; at !== undefined && !Node.isStatement(at); at = at.getParent()) {
        if (!Node.isVariableDeclaration(at)) continue;
        const name = at.getNameNode();
        return Node.isIdentifier(name) ? name.findReferencesAsNodes().filter(use => use !== name) : [];
    }
    return [source];
}

/** The id of a page is not part of the question: the runtime strips it, and 2026-07-28 does not have it. */
function isOfPageId(use: Node): boolean {
    const property = use.getFirstAncestor(Node.isPropertyAssignment) ?? use.getParent();
    const name =
        Node.isPropertyAssignment(property) || Node.isShorthandPropertyAssignment(property) ? property.getName() : '';
    return /^(?:elicitationId|timeout|maxTotalTimeout|signal|_meta|requestId|progressToken|relatedRequestId)$/.test(
        name
    );
}

/** Made where the ask is made, and not in a function that may run at another time. */
const isFunctionFree = (source: Node, frame: FunctionNode): boolean => enclosingFunction(source) === frame;

function isConditionFor(use: Node, ask: Node): boolean {
    for (let at = use.getParent(); at !== undefined; at = at.getParent()) {
        if (Node.isIfStatement(at))
            return (
                contains(at.getExpression(), use) &&
                (contains(at.getThenStatement(), ask) ||
                    (at.getElseStatement() !== undefined && contains(at.getElseStatement() as Node, ask)))
            );
        if (Node.isConditionalExpression(at)) return contains(at.getCondition(), use) && contains(at, ask);
        if (Node.isStatement(at)) return false;
    }
    return false;
}
